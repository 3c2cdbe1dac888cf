package io.weir.service.cli;

import io.weir.coordinator.Lake;
import io.weir.service.LakeAddress;
import io.weir.service.Stores;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a lake's commits, as far back as its log goes. It only reads: a server may be running on the lake. */
@Command(name = "log", description = "List the commits of a lake, newest last: version, time, who, what.")
final class LogCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = SettingsOptions.read(spec.commandLine().getParseResult());
        PrintWriter out = spec.commandLine().getOut();
        for (String lake : settings.list(Setting.LAKE)) {
            LakeAddress address = LakeAddress.parse(lake);
            try (ObjectStore store = ObjectStores.open(address.root(), Stores.s3(settings))) {
                Lake.readLog(
                        store, (before, entry) -> LogLines.of(before, entry).forEach(out::println));
            }
        }
        out.flush();
        return 0;
    }
}
