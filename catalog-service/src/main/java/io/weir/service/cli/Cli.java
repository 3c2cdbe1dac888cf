package io.weir.service.cli;

import io.weir.service.config.SettingsException;
import io.weir.service.sql.SqlException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands of {@code ./weir}. {@code test} and {@code bench} are the start script's own and only listed here.
 * Expected failures are printed as one line, without a stack trace, and end with status 1; wrong usage with 2.
 */
@Command(
        name = "weir",
        description = "An Iceberg catalog on object storage that moves materialized views inside the commit.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  test      Run the tests: ./weir test [SUITE...]; without a suite all that run without a network.",
            "  bench     Run a benchmark: ./weir bench NAME [--json FILE]"
        })
public final class Cli {
    /** Not an exit status: the process goes on serving. */
    public static final int STAY = -1;

    private Cli() {}

    public static int run(String... arguments) {
        var line = new CommandLine(CommandSpec.forAnnotatedObject(new Cli()));
        line.addSubcommand(withSettings(new ServeCommand()));
        line.addSubcommand(new CommandLine(new SqlCommand()));
        line.addSubcommand(withSettings(new DoctorCommand()));
        line.addSubcommand(withSettings(new LogCommand()));
        line.addSubcommand(new CommandLine(new DemoCommand()));
        line.addSubcommand(new CommandLine(new SettingsCommand()));
        line.addSubcommand(new CommandLine(new CommandLine.HelpCommand()));
        line.setExecutionExceptionHandler((exception, command, _) -> failed(exception, command.getErr()));
        if (arguments.length == 0) {
            line.usage(System.out);
            return 0;
        }
        return line.execute(arguments);
    }

    private static CommandLine withSettings(Object command) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(command);
        SettingsOptions.addTo(spec);
        return new CommandLine(spec);
    }

    private static int failed(Exception exception, PrintWriter err) throws Exception {
        switch (exception) {
            case SettingsException e -> err.println("weir: " + e.getMessage());
            case CommandFailedException e -> err.println("weir: " + e.getMessage());
            case SqlException e -> {
                err.println("ERROR " + e.code() + ": " + e.getMessage());
                e.hint().ifPresent(hint -> err.println("HINT: " + hint));
            }
            default -> throw exception;
        }
        return 1;
    }
}
