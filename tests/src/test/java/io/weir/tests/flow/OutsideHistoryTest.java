package io.weir.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.tests.fixtures.ParquetRows;
import io.weir.tests.fixtures.WeirProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random histories by an outside client and by SQL in turn: appends, overwrites, position deletes, deletion vectors,
 * equality deletes, inserts, updates. After each commit every stage equals its query from nothing. A longer history: the
 * system property {@code weir.commits}.
 */
class OutsideHistoryTest {
    private static final int COMMITS = Integer.getInteger("weir.commits", 12);
    private static final TableIdentifier READINGS = TableIdentifier.of("flow", "readings");

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "format version {0}, seed {1}")
    @CsvSource({"2, 1", "2, 2", "3, 1", "3, 2"})
    void everyStageEqualsItsQueryFromNothingAfterEveryCommit(int formatVersion, long seed) throws Exception {
        Random random = new Random(seed);
        try (WeirProcess weir = WeirProcess.local(folder.resolve("lake"));
                RESTCatalog catalog = weir.catalog()) {
            FlowSetup.create(weir, formatVersion);
            for (int commit = 0; commit < COMMITS; commit++) {
                Table table = catalog.loadTable(READINGS);
                String did = change(weir, table, random, formatVersion);
                for (FlowSetup.Stage stage : FlowSetup.STAGES) {
                    assertThat(FlowSetup.difference(weir, stage))
                            .as(
                                    "%s after commit %s (%s), format version %s, seed %s",
                                    stage.view(), commit, did, formatVersion, seed)
                            .isEmpty();
                }
            }
        }
    }

    private static String change(WeirProcess weir, Table table, Random random, int formatVersion) throws IOException {
        List<FileScanTask> files = files(table);
        return switch (files.isEmpty() ? 0 : random.nextInt(8)) {
            case 0, 1 -> {
                table.newAppend()
                        .appendFile(ParquetRows.write(table, rows(random)))
                        .commit();
                yield "append";
            }
            case 2 -> {
                FileScanTask gone = files.get(random.nextInt(files.size()));
                table.newOverwrite()
                        .deleteFile(gone.file())
                        .addFile(ParquetRows.write(table, rows(random)))
                        .commit();
                yield "overwrite";
            }
            case 3 -> {
                positionDeletes(table, files.get(random.nextInt(files.size())), random, formatVersion);
                yield "position deletes";
            }
            case 4 -> {
                RowDelta delta = table.newRowDelta()
                        .addDeletes(
                                ParquetRows.equalityDeletes(table, "sensor", List.of("sensor-" + random.nextInt(5))));
                if (random.nextBoolean()) {
                    delta.addRows(ParquetRows.write(table, rows(random)));
                }
                delta.commit();
                yield "equality deletes";
            }
            case 5 -> {
                weir.sql("UPDATE flow.readings SET value = value - 7, site = 'site-" + random.nextInt(3)
                        + "' WHERE id % 5 = " + random.nextInt(5));
                yield "SQL update";
            }
            case 6 -> {
                weir.sql("DELETE FROM flow.readings WHERE id % 7 = " + random.nextInt(7));
                yield "SQL delete";
            }
            default -> {
                weir.sql("INSERT INTO flow.readings VALUES (" + random.nextInt(1_000)
                        + ", NULL, 'sensor-1', 5, 'good'), (1, 'site-1', NULL, NULL, 'good')");
                yield "SQL insert";
            }
        };
    }

    private static List<FileScanTask> files(Table table) throws IOException {
        List<FileScanTask> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            tasks.forEach(files::add);
        }
        return files;
    }

    private static List<Object[]> rows(Random random) {
        List<Object[]> rows = new ArrayList<>();
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            rows.add(new Object[] {
                (long) random.nextInt(1_000),
                random.nextInt(9) == 0 ? null : "site-" + random.nextInt(3),
                random.nextInt(6) == 0 ? null : "sensor-" + random.nextInt(5),
                random.nextInt(8) == 0 ? null : (long) random.nextInt(-10, 40),
                random.nextInt(6) == 0 ? "probe" : "good"
            });
        }
        return rows;
    }

    private static void positionDeletes(Table table, FileScanTask task, Random random, int formatVersion)
            throws IOException {
        DataFile file = task.file();
        long position = random.nextLong(file.recordCount());
        RowDelta delta =
                table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
        if (formatVersion >= 3) {
            OutputFileFactory names = OutputFileFactory.builderFor((BaseTable) table, 1, random.nextInt(1 << 20))
                    .format(FileFormat.PUFFIN)
                    .build();
            List<DeleteFile> vectors = task.deletes().stream()
                    .filter(delete -> delete.format() == FileFormat.PUFFIN)
                    .toList();
            BaseDVFileWriter writer = new BaseDVFileWriter(
                    names,
                    location -> vectors.isEmpty()
                            ? null
                            : new BaseDeleteLoader(delete -> table.io().newInputFile(delete.location()))
                                    .loadPositionDeletes(vectors, location));
            try (writer) {
                writer.delete(file.location(), position, table.spec(), null);
            }
            writer.result().deleteFiles().forEach(delta::addDeletes);
            writer.result().rewrittenDeleteFiles().forEach(delta::removeDeletes);
        } else {
            PositionDeleteWriter<Void> writer = Parquet.writeDeletes(
                            table.io().newOutputFile(table.location() + "/data/pos-" + random.nextLong() + ".parquet"))
                    .withSpec(PartitionSpec.unpartitioned())
                    .metricsConfig(MetricsConfig.forPositionDelete())
                    .overwrite()
                    .buildPositionWriter();
            try (writer) {
                writer.write(PositionDelete.<Void>create().set(file.location(), position));
            }
            delta.addDeletes(writer.toDeleteFile());
        }
        delta.commit();
    }
}
