package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A view's snapshots as Weir writes them against those of Iceberg's own row delta, over random histories of moves. */
class ViewSnapshotsTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final int MOVES = 130;

    private final FileIO io = new InMemoryFileIO();

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void makesWhatARowDeltaMakes(int formatVersion) {
        Random random = new Random(formatVersion);
        TableMetadata ours = empty(formatVersion);
        TableMetadata theirs = ours;
        for (int i = 0; i < MOVES; i++) {
            ViewMove move = move(random, ours, i);
            TableMetadata next = ViewSnapshots.add(ours, move, io, (locations, work) -> work.run());
            TableMetadata same = DraftOperations.addSnapshot(theirs, move.snapshotId(), io, delta -> {
                move.added().forEach(delta::addRows);
                move.removed().forEach(delta::removeRows);
                move.addedDeletes().forEach(delta::addDeletes);
                move.removedDeletes().forEach(delta::removeDeletes);
            });
            String what = "move " + i + " on format " + formatVersion;
            assertThat(files(next)).as(what).isEqualTo(files(same));
            assertThat(told(next.currentSnapshot())).as(what).isEqualTo(told(same.currentSnapshot()));
            assertThat(next.nextRowId()).as(what).isGreaterThanOrEqualTo(same.nextRowId());
            ours = next;
            theirs = same;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void staysAboveTheRowIdsItAdopts(int formatVersion) {
        TableMetadata view = empty(formatVersion);
        ViewMove move = new ViewMove(
                7,
                List.of(data(3)),
                List.of(),
                List.of(),
                List.of(),
                0,
                List.of(new Lineage.Range(500, 20, new Lineage.Stamp(1, Instant.EPOCH))),
                Map.of(),
                Map.of(),
                FlowEntry.LastMove.NONE);

        TableMetadata moved = ViewSnapshots.add(view, move, io, (locations, work) -> work.run());

        assertThat(moved.nextRowId()).isEqualTo(520);
    }

    private static TableMetadata empty(int formatVersion) {
        return TableMetadata.newTableMetadata(
                SCHEMA,
                PartitionSpec.unpartitioned(),
                "memory://lake/view-" + UUID.randomUUID(),
                Map.of("format-version", Integer.toString(formatVersion)));
    }

    /** Files come, all are replaced, or rows of one are deleted; now and then nothing is left. */
    private ViewMove move(Random random, TableMetadata view, int number) {
        List<DataFile> removed = new ArrayList<>();
        List<DeleteFile> deletes = new ArrayList<>();
        List<DeleteFile> removedDeletes = new ArrayList<>();
        List<DataFile> added = new ArrayList<>(List.of(data(random.nextInt(1, 50))));
        int kind = number < 110 ? random.nextInt(4) : 3;
        List<FileScanTask> live = tasks(view);
        if (kind == 0 && !live.isEmpty()) {
            for (FileScanTask task : live) {
                removed.add(task.file());
                removedDeletes.addAll(task.deletes());
            }
            if (random.nextInt(5) == 0) {
                added.clear();
            }
        } else if (kind == 1 && !live.isEmpty()) {
            FileScanTask hit = live.get(random.nextInt(live.size()));
            removedDeletes.addAll(hit.deletes());
            deletes.add(delete(view, hit));
            if (random.nextBoolean()) {
                added.clear();
            }
        }
        return new ViewMove(
                number + 1,
                added,
                removed,
                deletes,
                removedDeletes,
                0,
                List.of(),
                Map.of(),
                Map.of(),
                FlowEntry.LastMove.NONE);
    }

    private static DataFile data(int rows) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("memory://lake/data/" + UUID.randomUUID() + ".parquet")
                .withFormat(FileFormat.PARQUET)
                .withRecordCount(rows)
                .withFileSizeInBytes(100L * rows)
                .build();
    }

    private static DeleteFile delete(TableMetadata view, FileScanTask hit) {
        boolean vector = view.formatVersion() >= 3;
        FileMetadata.Builder builder = FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofPositionDeletes()
                .withPath("memory://lake/data/" + UUID.randomUUID() + (vector ? ".puffin" : ".parquet"))
                .withFormat(vector ? FileFormat.PUFFIN : FileFormat.PARQUET)
                .withReferencedDataFile(hit.file().location())
                .withRecordCount(1)
                .withFileSizeInBytes(50);
        return vector ? builder.withContentOffset(4).withContentSizeInBytes(40).build() : builder.build();
    }

    private List<FileScanTask> tasks(TableMetadata view) {
        List<FileScanTask> tasks = new ArrayList<>();
        new BaseTable(new StaticTableOperations(view, io), "view")
                .newScan()
                .planWith(SameThread.forManifests(1))
                .planFiles()
                .forEach(tasks::add);
        return tasks;
    }

    /** Each data file with its sequence number and the deletes that hit it. */
    private Map<String, String> files(TableMetadata view) {
        Map<String, String> files = new TreeMap<>();
        for (FileScanTask task : tasks(view)) {
            files.put(
                    task.file().location(),
                    task.file().dataSequenceNumber() + " "
                            + task.deletes().stream()
                                    .map(DeleteFile::location)
                                    .sorted()
                                    .toList());
        }
        return files;
    }

    /** What the summary counts; how many manifests there are is each writer's own affair. */
    private static Map<String, String> told(Snapshot snapshot) {
        Map<String, String> told = new TreeMap<>(snapshot.summary());
        told.keySet()
                .removeIf(key -> key.startsWith("manifests-")
                        || key.startsWith("entries-")
                        || key.startsWith("iceberg-")
                        || key.equals("engine-name"));
        told.put("operation", snapshot.operation());
        told.put("sequence", Long.toString(snapshot.sequenceNumber()));
        return told;
    }
}
