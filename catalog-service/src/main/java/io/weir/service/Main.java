package io.weir.service;

import io.weir.service.cli.Cli;

/** Where the process starts. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int status = Cli.run(arguments);
        if (status != Cli.STAY) {
            System.exit(status);
        }
    }
}
