package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.store.LakeFileIO;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakeTest {
    private static final Caller TEST = new Caller("test", "junit");
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");

    @TempDir
    private Path folder;

    private Lake lake;

    @BeforeEach
    void open() {
        lake = reopened();
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private Lake reopened() {
        return opened(LogPolicy.DEFAULT);
    }

    private Lake opened(LogPolicy policy) {
        return Lake.open(
                LakeOptions.named("test").withLog(policy),
                ObjectStores.open(folder.toUri(), S3Config.defaults()),
                LakeFileIO.open(folder.toUri(), S3Config.defaults()),
                Derivation.none());
    }

    private CommitOutcome create(TableIdentifier name, int formatVersion) {
        TableMetadata metadata = TableMetadata.newTableMetadata(
                SCHEMA,
                PartitionSpec.unpartitioned(),
                lake.newLocation(name),
                Map.of("format-version", Integer.toString(formatVersion)));
        return lake.commit(LakeRequest.of(TEST, new Action.CreateTable(name, metadata)));
    }

    private Table table(TableIdentifier name) {
        return new BaseTable(new LakeTableOperations(lake, name, TEST), name.toString());
    }

    private static DataFile file(Table table, long rows) {
        return DataFiles.builder(table.spec())
                .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
                .withFileSizeInBytes(100)
                .withRecordCount(rows)
                .build();
    }

    private static Set<String> files(Table table) throws Exception {
        Set<String> files = new HashSet<>();
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            tasks.forEach(task -> files.add(task.file().location()));
        }
        return files;
    }

    /** To the millisecond: each time metadata is built it has another time of its last update. */
    @Test
    void whatIsKeptOfANewTableIsWhatItsFileSays() {
        for (int i = 0; i < 100; i++) {
            TableIdentifier name = TableIdentifier.of("default", "t" + i);
            TableMetadata metadata = TableMetadata.newTableMetadata(
                    SCHEMA, PartitionSpec.unpartitioned(), lake.newLocation(name), Map.of());
            lake.commit(LakeRequest.of(TEST, new Action.CreateTable(name, metadata)));
            TableEntry table = lake.state().table(name).orElseThrow();
            assertThat(TableMetadataParser.toJson(lake.metadata(table)))
                    .isEqualTo(
                            TableMetadataParser.toJson(TableMetadataParser.read(lake.io(), table.metadataLocation())));
        }
    }

    @Test
    void aTableIsThereAfterItsCommitAndAfterARestart() {
        assertThat(create(READINGS, 2)).isInstanceOf(CommitOutcome.Committed.class);
        table(READINGS).newFastAppend().appendFile(file(table(READINGS), 10)).commit();
        CatalogState before = lake.state();
        lake.close();
        lake = reopened();
        assertThat(lake.state().tablesById()).isEqualTo(before.tablesById());
        assertThat(lake.state().commits()).isEqualTo(before.commits());
        assertThat(table(READINGS).currentSnapshot().summary()).containsEntry("total-records", "10");
    }

    @Test
    void aNameIsTakenOnce() {
        create(READINGS, 2);
        assertThat(create(READINGS, 2))
                .isInstanceOfSatisfying(
                        CommitOutcome.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(ErrorCode.TABLE_EXISTS));
    }

    @Test
    void concurrentAppendsAllLandWithoutAConflict() throws Exception {
        for (int formatVersion : new int[] {1, 2, 3}) {
            TableIdentifier name = TableIdentifier.of("default", "v" + formatVersion);
            create(name, formatVersion);
            Set<String> appended = new HashSet<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<List<String>>> writers = new ArrayList<>();
                for (int writer = 0; writer < 8; writer++) {
                    writers.add(threads.submit(() -> {
                        List<String> own = new ArrayList<>();
                        Table table = table(name);
                        for (int i = 0; i < 10; i++) {
                            DataFile file = file(table, 3);
                            // A table that is never refreshed: every commit but the first is stale.
                            table.newFastAppend().appendFile(file).commit();
                            own.add(file.location());
                        }
                        return own;
                    }));
                }
                for (Future<List<String>> writer : writers) {
                    appended.addAll(writer.get());
                }
            }
            Table table = table(name);
            assertThat(files(table)).isEqualTo(appended);
            assertThat(table.currentSnapshot().summary()).containsEntry("total-records", "240");
            assertThat(table.snapshots()).hasSize(80);
            Lineage lineage = lake.state().table(name).orElseThrow().lineage();
            for (long id = 0; id < 240; id++) {
                assertThat(lineage.created(id)).as("row %s of %s", id, name).isPresent();
            }
            assertThat(lineage.created(240)).isEmpty();
        }
    }

    @Test
    void aRetryOfWhatIsAppliedIsAnsweredAsTheFirstTime() {
        create(READINGS, 2);
        Table table = table(READINGS);
        table.newFastAppend().appendFile(file(table, 1)).commit();
        Snapshot snapshot = table.currentSnapshot();
        table.newFastAppend().appendFile(file(table, 1)).commit();
        Version version = lake.state().version();
        CommitOutcome again = lake.commit(LakeRequest.of(
                TEST,
                new Action.UpdateTable(
                        READINGS,
                        List.of(new UpdateRequirement.AssertRefSnapshotID("main", null)),
                        List.of(new org.apache.iceberg.MetadataUpdate.AddSnapshot(snapshot)))));
        assertThat(again).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(lake.state().version()).isEqualTo(version);
    }

    @Test
    void aRequestIsAppliedWholeOrNotAtAll() {
        create(READINGS, 2);
        TableIdentifier other = TableIdentifier.of("default", "other");
        CommitOutcome outcome = lake.commit(
                LakeRequest.of(TEST, new Action.RenameTable(READINGS, other), new Action.DropTable(READINGS, false)));
        assertThat(outcome).isInstanceOf(CommitOutcome.Rejected.class);
        assertThat(lake.state().table(READINGS)).isPresent();
        assertThat(lake.state().table(other)).isEmpty();
    }

    @Test
    void aDroppedTableComesBackWithItsHistory() {
        create(READINGS, 2);
        Table table = table(READINGS);
        table.newFastAppend().appendFile(file(table, 7)).commit();
        lake.commit(LakeRequest.of(TEST, new Action.DropTable(READINGS, false)));
        assertThat(lake.state().table(READINGS)).isEmpty();
        assertThat(lake.state().dropped().get(0).liveRows()).isEqualTo(7);
        create(READINGS, 2);
        TableIdentifier back = TableIdentifier.of("default", "back");
        lake.commit(LakeRequest.of(TEST, new Action.UndropTable(READINGS, Optional.of(back))));
        assertThat(table(back).currentSnapshot().snapshotId())
                .isEqualTo(table.currentSnapshot().snapshotId());
        assertThat(lake.state().dropped()).isEmpty();
    }

    @Test
    void aSecondServerCutsTheFirstOffAndLosesNothing() {
        create(READINGS, 2);
        try (Lake second = reopened()) {
            assertThat(create(TableIdentifier.of("default", "late"), 2)).isInstanceOf(CommitOutcome.Fenced.class);
            assertThat(second.state().table(READINGS)).isPresent();
            assertThat(second.state().table(TableIdentifier.of("default", "late")))
                    .isEmpty();
        }
    }

    @Test
    void theStateOfAnyVersionCanBeReadAgain() {
        create(READINGS, 2);
        Version version = lake.state().version();
        lake.commit(LakeRequest.of(TEST, new Action.DropTable(READINGS, true)));
        assertThat(lake.stateAt(version).orElseThrow().table(READINGS)).isPresent();
        assertThat(lake.state().table(READINGS)).isEmpty();
        lake.close();
        lake = reopened();
        assertThat(lake.stateAt(version).orElseThrow().table(READINGS)).isPresent();
        assertThat(lake.stateAt(new Version(1_000_000))).isEmpty();
    }

    @Test
    void aLakeIsReadFromItsCheckpointAndItsPastFromWhatIsKept() {
        lake.close();
        lake = opened(new LogPolicy(5, Duration.ofDays(7)));
        create(READINGS, 2);
        Version early = lake.state().version();
        Table table = table(READINGS);
        for (int i = 0; i < 20; i++) {
            table.newFastAppend().appendFile(file(table, 2)).commit();
        }
        CatalogState before = lake.state();
        lake.close();
        assertThat(folder.resolve("_weir/checkpoint").toFile().list()).isNotEmpty();
        // Were it read from its start, this would be missed.
        assertThat(folder.resolve(CommitLog.key(2))
                        .toFile()
                        .renameTo(folder.resolve("aside").toFile()))
                .isTrue();
        lake = reopened();
        assertThat(lake.state().tablesById()).isEqualTo(before.tablesById());
        assertThat(lake.state().commits()).isEqualTo(before.commits()).hasSize(20);
        assertThat(lake.stateAt(before.version())).contains(before);
        assertThat(folder.resolve("aside")
                        .toFile()
                        .renameTo(folder.resolve(CommitLog.key(2)).toFile()))
                .isTrue();
        assertThat(lake.stateAt(early)
                        .orElseThrow()
                        .table(READINGS)
                        .orElseThrow()
                        .lineage())
                .isEqualTo(Lineage.EMPTY);
    }

    @Test
    void whatIsOlderThanTheRetentionCanNotBeReadAndEverythingElseCan() {
        lake.close();
        lake = opened(new LogPolicy(5, Duration.ZERO));
        create(READINGS, 2);
        Version early = lake.state().version();
        for (int i = 0; i < 60; i++) {
            lake.commit(LakeRequest.of(TEST, new Action.CreateNamespace(Namespace.of("n" + i), Map.of())));
        }
        CatalogState before = lake.state();
        lake.close();
        lake = reopened();
        assertThat(lake.state().tablesById()).isEqualTo(before.tablesById());
        assertThat(lake.state().namespaces()).isEqualTo(before.namespaces());
        assertThat(lake.stateAt(before.version())).contains(before);
        assertThat(lake.stateAt(early)).isEmpty();
    }

    @Test
    void aFileOutsideTheTablesLocationIsRefused() {
        create(READINGS, 2);
        Table table = table(READINGS);
        DataFile stray = DataFiles.builder(table.spec())
                .withPath(folder.toUri() + "elsewhere.parquet")
                .withFileSizeInBytes(100)
                .withRecordCount(1)
                .build();
        assertThatThrownBy(() -> table.newFastAppend().appendFile(stray).commit())
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("elsewhere.parquet")
                .hasMessageContaining("is not under the location");
        assertThat(table(READINGS).currentSnapshot()).isNull();
    }

    @Test
    void namespacesNestAndAreDroppedFromTheirEnd() {
        Namespace outer = Namespace.of("a.b c");
        Namespace inner = Namespace.of("a.b c", "ä/%");
        assertThat(lake.commit(LakeRequest.of(TEST, new Action.CreateNamespace(inner, Map.of()))))
                .isInstanceOf(CommitOutcome.Rejected.class);
        lake.commit(LakeRequest.of(
                TEST,
                new Action.CreateNamespace(outer, Map.of("k", "v")),
                new Action.CreateNamespace(inner, Map.of())));
        assertThat(lake.state().children(outer)).containsExactly(inner);
        assertThat(lake.commit(LakeRequest.of(TEST, new Action.DropNamespace(outer))))
                .isInstanceOfSatisfying(
                        CommitOutcome.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(ErrorCode.NAMESPACE_NOT_EMPTY));
        lake.commit(LakeRequest.of(TEST, new Action.DropNamespace(inner), new Action.DropNamespace(outer)));
        assertThat(lake.state().hasNamespace(outer)).isFalse();
    }
}
