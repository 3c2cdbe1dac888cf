package io.weir.service.cli;

import io.weir.service.config.Setting;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the table of all settings. */
@Command(name = "settings", description = "List every setting with its default and meaning.")
final class SettingsCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(Setting.documentation());
        spec.commandLine().getOut().flush();
        return 0;
    }
}
