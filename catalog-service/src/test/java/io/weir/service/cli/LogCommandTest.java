package io.weir.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.coordinator.Action;
import io.weir.coordinator.Caller;
import io.weir.coordinator.Derivation;
import io.weir.coordinator.Lake;
import io.weir.coordinator.LakeOptions;
import io.weir.coordinator.LakeRequest;
import io.weir.coordinator.LogPolicy;
import io.weir.store.LakeFileIO;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class LogCommandTest {
    @TempDir
    Path folder;

    private Lake open(LogPolicy policy) {
        return Lake.open(
                new LakeOptions("lake", "node-a", Clock.systemUTC(), policy),
                ObjectStores.local(folder),
                LakeFileIO.open(folder.toUri(), S3Config.defaults()),
                Derivation.none());
    }

    private static void commit(Lake lake, Action action) {
        lake.commit(LakeRequest.of(new Caller("ann", "test"), action));
    }

    private List<String> log() {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new LogCommand());
        SettingsOptions.addTo(spec);
        StringWriter out = new StringWriter();
        int status = new CommandLine(spec).setOut(new PrintWriter(out)).execute("--lake", folder.toString());
        assertThat(status).isZero();
        return out.toString().lines().toList();
    }

    @Test
    void everyEntryIsThereNewestLastWithVersionTimeWhoAndWhat() {
        TableIdentifier table = TableIdentifier.of("default", "t");
        try (Lake lake = open(LogPolicy.DEFAULT)) {
            Schema schema = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
            commit(
                    lake,
                    new Action.CreateTable(
                            table,
                            TableMetadata.newTableMetadata(
                                    schema, PartitionSpec.unpartitioned(), lake.newLocation(table), Map.of())));
            commit(lake, new Action.CreateNamespace(Namespace.of("n"), Map.of()));
            commit(lake, new Action.RenameTable(table, TableIdentifier.of("n", "u")));
            commit(lake, new Action.DropTable(TableIdentifier.of("n", "u"), false));
        }
        assertThat(log())
                .satisfiesExactly(
                        line -> assertThat(line).matches(" +1  20\\d\\d-.*Z  node-a .*leads, epoch 1"),
                        line -> assertThat(line).matches(" +2  20\\d\\d-.*Z .*create table default\\.t"),
                        line -> assertThat(line).matches(" +3  20\\d\\d-.*Z .*create namespace n"),
                        line -> assertThat(line).matches(" +4  20\\d\\d-.*Z .*rename default\\.t to n\\.u"),
                        line -> assertThat(line).matches(" +5  20\\d\\d-.*Z  ann .*drop n\\.u, kept until .*"));
    }

    @Test
    void aLogThatWasCutOffIsShownFromWhereItBegins() {
        LogPolicy kept = new LogPolicy(5, Duration.ZERO);
        try (Lake lake = open(LogPolicy.DEFAULT)) {
            for (int i = 0; i < 50; i++) {
                commit(lake, new Action.CreateNamespace(Namespace.of("n" + i), Map.of()));
            }
        }
        open(kept).close();
        try (Lake lake = open(LogPolicy.DEFAULT)) {
            commit(lake, new Action.CreateNamespace(Namespace.of("last"), Map.of()));
        }
        assertThat(log())
                .satisfiesExactly(
                        line -> assertThat(line).matches(" +53  20.* node-a .*leads, epoch 3"),
                        line -> assertThat(line).matches(" +54  20.* create namespace last"));
    }
}
