package io.weir.service.cli;

import io.weir.coordinator.CommitRecord;
import io.weir.coordinator.Lake;
import io.weir.service.LakeAddress;
import io.weir.service.Stores;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a lake's commits. It only reads: a server may be running on the lake. */
@Command(name = "log", description = "List the commits of a lake, newest last: version, time, who, what.")
final class LogCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = SettingsOptions.read(spec.commandLine().getParseResult());
        PrintWriter out = spec.commandLine().getOut();
        for (String lake : settings.list(Setting.LAKE)) {
            for (CommitRecord commit : commits(LakeAddress.parse(lake), settings)) {
                out.printf(
                        "%6d  %s  %-12s %-24s %-10s %s +%d -%d%n",
                        commit.version(),
                        commit.committedAt(),
                        commit.author(),
                        commit.engine(),
                        commit.operation(),
                        commit.table(),
                        commit.addedRows(),
                        commit.deletedRows());
            }
        }
        out.flush();
        return 0;
    }

    private static List<CommitRecord> commits(LakeAddress address, Settings settings) {
        try (ObjectStore store = ObjectStores.open(address.root(), Stores.s3(settings))) {
            return Lake.read(store).commits();
        }
    }
}
