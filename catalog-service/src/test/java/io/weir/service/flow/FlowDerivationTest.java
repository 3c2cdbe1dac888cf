package io.weir.service.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.coordinator.Action;
import io.weir.coordinator.Caller;
import io.weir.coordinator.CommitOutcome;
import io.weir.coordinator.Lake;
import io.weir.coordinator.LakeOptions;
import io.weir.coordinator.LakeRequest;
import io.weir.coordinator.LakeTableOperations;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.EngineSettings;
import io.weir.incremental.engine.Rows;
import io.weir.incremental.view.Constraint;
import io.weir.incremental.view.OnViolation;
import io.weir.incremental.view.ViewDefinition;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;
import io.weir.store.LakeFileIO;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowDerivationTest {
    private static final Caller TEST = new Caller("test", "junit");
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.optional(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "sensor", Types.StringType.get()),
            Types.NestedField.optional(3, "value", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final TableIdentifier CLEAN = TableIdentifier.of("default", "clean");
    private static final TableIdentifier TOTALS = TableIdentifier.of("default", "totals");

    @TempDir
    private Path folder;

    private Engine engine;
    private FileStage stage;
    private Lake lake;
    private FlowDefiner definer;

    @BeforeEach
    void open() {
        Path root = folder.resolve("lake");
        FileIO io = LakeFileIO.open(root.toUri(), S3Config.defaults());
        engine = Engine.of(EngineSettings.of(folder.resolve("staging"), root));
        stage = new FileStage(io, folder.resolve("stage"), 1 << 20);
        lake = Lake.open(
                LakeOptions.named("test"),
                ObjectStores.open(root.toUri(), S3Config.defaults()),
                io,
                new FlowDerivation(engine, engine, stage, new DeleteWriter(io)));
        definer = new FlowDefiner(lake, engine, stage, new DeleteWriter(io));
    }

    @AfterEach
    void close() {
        lake.close();
        engine.close();
    }

    private void create(int formatVersion) {
        TableMetadata metadata = TableMetadata.newTableMetadata(
                SCHEMA,
                PartitionSpec.unpartitioned(),
                lake.newLocation(READINGS),
                Map.of("format-version", Integer.toString(formatVersion)));
        assertThat(lake.commit(LakeRequest.of(TEST, new Action.CreateTable(READINGS, metadata))))
                .isInstanceOf(CommitOutcome.Committed.class);
    }

    private void view(TableIdentifier name, String sql, TableIdentifier source, Constraint... constraints) {
        ViewDefinition definition =
                new ViewDefinition(name.toString(), sql, Optional.empty(), List.of(constraints), Map.of());
        CommitOutcome outcome = lake.commit(
                LakeRequest.of(TEST, definer.define(name, sql, definition, Map.of(source.toString(), source))));
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
    }

    private Table table(TableIdentifier name) {
        return new BaseTable(new LakeTableOperations(lake, name, TEST), name.toString());
    }

    private DataFile file(String values) {
        Table table = table(READINGS);
        String location = table.location() + "/data/" + UUID.randomUUID() + ".parquet";
        try (EngineSession session = engine.session()) {
            WrittenFile written = session.write(
                    "SELECT * FROM (VALUES " + values + ") AS v(id, sensor, value)", SCHEMA, stage.target(location));
            return DataFiles.builder(table.spec())
                    .withPath(location)
                    .withFormat(FileFormat.PARQUET)
                    .withFileSizeInBytes(written.sizeBytes())
                    .withMetrics(written.metrics())
                    .build();
        }
    }

    private List<List<Object>> rows(TableIdentifier name) {
        TableEntry table = lake.state().table(name).orElseThrow();
        TableRows rows = new TableReader(lake.io(), stage).rows(table, lake.metadata(table));
        try (EngineSession session = engine.session();
                Rows result = session.query(
                        "SELECT * FROM " + session.rows(rows, false).as("r") + " ORDER BY ALL")) {
            return result.all();
        }
    }

    private void flow(int formatVersion) {
        create(formatVersion);
        table(READINGS)
                .newFastAppend()
                .appendFile(file("(1, 'a', 10), (2, 'b', -4)"))
                .commit();
        view(
                CLEAN,
                "SELECT id, sensor, value FROM \"default\".readings",
                READINGS,
                new Constraint("above_zero", "value > 0", OnViolation.DROP),
                new Constraint("sane", "value < 1000", OnViolation.FAIL));
        view(TOTALS, "SELECT sensor, count(*) AS n, sum(value) AS total FROM \"default\".clean GROUP BY sensor", CLEAN);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void anAppendMovesTheStagesInItsOwnVersion(int formatVersion) {
        flow(formatVersion);
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 1L, 10L));
        long before = lake.state().version().number();
        table(READINGS)
                .newFastAppend()
                .appendFile(file("(3, 'a', 5), (4, 'c', 7), (5, 'c', -1)"))
                .commit();
        assertThat(lake.state().version().number()).isEqualTo(before + 1);
        assertThat(rows(CLEAN)).hasSize(3);
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 2L, 15L), List.of("c", 1L, 7L));
        assertThat(lake.state()
                        .table(CLEAN)
                        .orElseThrow()
                        .flow()
                        .orElseThrow()
                        .expectations()
                        .get(0)
                        .failedRows())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void filesThatLeaveTakeTheirRowsOutOfEveryStage(int formatVersion) {
        flow(formatVersion);
        DataFile second = file("(3, 'a', 5), (4, 'c', 7)");
        table(READINGS).newFastAppend().appendFile(second).commit();
        table(READINGS)
                .newOverwrite()
                .deleteFile(second)
                .addFile(file("(3, 'a', 6)"))
                .commit();
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 2L, 16L));
        assertThat(rows(CLEAN)).hasSize(2);
    }

    @Test
    void onlyTheCommitThatBringsTheViolationIsRefused() {
        flow(2);
        assertThatThrownBy(() -> table(READINGS)
                        .newFastAppend()
                        .appendFile(file("(9, 'a', 5000)"))
                        .commit())
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("violates check constraint \"sane\"")
                .hasMessageContaining("5000");
        assertThat(table(READINGS).currentSnapshot().summary()).containsEntry("total-records", "2");
        table(READINGS).newFastAppend().appendFile(file("(3, 'a', 1)")).commit();
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 2L, 11L));
    }

    @Test
    void aViewIsWrittenByItsFlowAlone() {
        flow(2);
        assertThatThrownBy(() -> table(CLEAN)
                        .newDelete()
                        .deleteFromRowFilter(Expressions.alwaysTrue())
                        .commit())
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("only its flow writes it");
        assertThat(lake.commit(LakeRequest.of(TEST, new Action.DropFlow(CLEAN))))
                .isInstanceOfSatisfying(
                        CommitOutcome.Rejected.class,
                        rejected -> assertThat(rejected.message()).contains("totals"));
    }

    @Test
    void aColumnAViewReadsCannotBeDropped() {
        flow(2);
        assertThatThrownBy(() ->
                        table(READINGS).updateSchema().deleteColumn("value").commit())
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("default.clean");
        table(READINGS).updateSchema().addColumn("unit", Types.StringType.get()).commit();
        table(READINGS).newFastAppend().appendFile(file("(3, 'a', 1)")).commit();
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 2L, 11L));
    }

    private DeleteFile delete(long... positions) {
        TableMetadata metadata = lake.metadata(lake.state().table(READINGS).orElseThrow());
        String file = new TableReader(lake.io(), stage)
                .tasks(metadata, metadata.currentSnapshot()).stream()
                        .map(task -> task.file().location())
                        .sorted()
                        .findFirst()
                        .orElseThrow();
        DeleteWriter.Target target = new DeleteWriter.Target(metadata.spec(), null, List.of());
        return new DeleteWriter(lake.io())
                .write(metadata, Map.of(file, target), Map.of(file, positions))
                .added()
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aDeleteFileReplacedByALargerOneTakesOutOnlyTheRowsItAdds(int formatVersion) {
        create(formatVersion);
        table(READINGS)
                .newFastAppend()
                .appendFile(file("(1, 'a', 10), (2, 'a', 20), (3, 'a', 40), (4, 'b', 1)"))
                .commit();
        view(CLEAN, "SELECT id, sensor, value FROM \"default\".readings", READINGS);
        view(TOTALS, "SELECT sensor, count(*) AS n, sum(value) AS total FROM \"default\".clean GROUP BY sensor", CLEAN);
        long untouched = table(READINGS).currentSnapshot().snapshotId();
        DeleteFile first = delete(1);
        table(READINGS).newRowDelta().addDeletes(first).commit();
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 2L, 50L), List.of("b", 1L, 1L));
        table(READINGS)
                .newRowDelta()
                .validateFromSnapshot(table(READINGS).currentSnapshot().snapshotId())
                .removeDeletes(first)
                .addDeletes(delete(0, 1))
                .commit();
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 1L, 40L), List.of("b", 1L, 1L));
        table(READINGS).manageSnapshots().rollbackTo(untouched).commit();
        assertThat(rows(TOTALS)).containsExactly(List.of("a", 3L, 70L), List.of("b", 1L, 1L));
    }
}
