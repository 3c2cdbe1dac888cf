package io.weir.service.cli;

import io.weir.service.ServedLakes.ServedLake;
import io.weir.service.WeirServer;
import io.weir.service.config.Settings;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the catalog until the process is asked to stop. */
@Command(name = "serve", description = "Run the catalog.", sortOptions = false)
final class ServeCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = SettingsOptions.read(spec.commandLine().getParseResult());
        WeirServer server = WeirServer.start(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "weir-stop"));
        String lakes = server.lakes().all().stream()
                .map(ServedLake::lake)
                .map(lake -> lake.name())
                .collect(Collectors.joining(","));
        System.out.println("weir ready " + server.url() + " lakes=" + lakes);
        System.out.flush();
        return Cli.STAY;
    }
}
