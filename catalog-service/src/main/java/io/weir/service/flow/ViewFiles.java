package io.weir.service.flow;

import io.weir.coordinator.Derivation;
import io.weir.coordinator.FlowEntry.LastMove;
import io.weir.coordinator.Lineage;
import io.weir.coordinator.TableEntry;
import io.weir.coordinator.ViewMove;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.view.ExpectationCount;
import io.weir.incremental.view.StageOutcome;
import io.weir.incremental.view.ViewTarget;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.SnapshotIdGeneratorUtil;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.WeirSnapshots;

/** From what the engine wrote for views to the files Iceberg knows them by. For one unit of work. */
final class ViewFiles {
    private static final String NO_SNAPSHOT = "none";

    private final TableReader reader;
    private final FileStage stage;
    private final DeleteWriter deletes;
    private final LiveFiles live;
    private final List<String> unkept = new ArrayList<>();

    ViewFiles(TableReader reader, FileStage stage, DeleteWriter deletes, LiveFiles live) {
        this.live = live;
        this.reader = reader;
        this.stage = stage;
        this.deletes = deletes;
    }

    /** Where a view's next step goes. */
    record Target(
            String viewId,
            TableMetadata metadata,
            Long snapshotBefore,
            long snapshotId,
            String location,
            FileStage stage,
            ViewTarget forEngine) {
        void publish(Derivation.Group group) {
            if (Files.exists(forEngine.output())) {
                group.beforeEntry(() -> stage.publish(location));
            }
        }
    }

    /** @param layout names the columns that the plan has, hidden ones too: a copy of the state that has others is no use */
    Target target(TableEntry view, TableMetadata metadata, String layout) {
        String location = metadata.location() + "/data/" + UUID.randomUUID() + ".parquet";
        unkept.add(location);
        long snapshotId = SnapshotIdGeneratorUtil.generateSnapshotID();
        Long before = metadata.currentSnapshot() == null
                ? null
                : metadata.currentSnapshot().snapshotId();
        long nextRowId = metadata.formatVersion() >= 3
                ? metadata.nextRowId()
                : view.lineage().nextRowId();
        return new Target(
                view.id(),
                metadata,
                before,
                snapshotId,
                location,
                stage,
                new ViewTarget(
                        metadata.schema(),
                        () -> reader.rows(view, metadata),
                        (before == null ? NO_SNAPSHOT : before.toString()) + layout,
                        snapshotId + layout,
                        nextRowId,
                        metadata.nextSequenceNumber(),
                        stage.target(location),
                        location));
    }

    ViewMove unmoved(Target target, StageOutcome.Unchanged step, Map<String, Long> frontier, long startedAt) {
        return new ViewMove(
                target.snapshotId(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0,
                List.of(),
                frontier,
                counts(step.expectations()),
                new LastMove(millisSince(startedAt), step.rowsIn(), 0));
    }

    ViewMove moved(
            Target target,
            StageOutcome.Moved step,
            List<Lineage.Range> adopted,
            Map<String, Long> frontier,
            long startedAt) {
        TableMetadata metadata = target.metadata();
        List<DataFile> removed = new ArrayList<>();
        List<DeleteFile> removedDeletes = new ArrayList<>();
        List<DeleteFile> addedDeletes = List.of();
        if (step.replacesAll()) {
            live.of(target.viewId(), target.snapshotBefore())
                    .ifPresentOrElse(removed::addAll, () -> everything(metadata, removed, removedDeletes));
        } else if (!step.deletedPositions().isEmpty()) {
            List<FileScanTask> tasks = reader.tasks(metadata, metadata.currentSnapshot());
            DeleteWriter.Written written = deletes.write(metadata, tasks, step.deletedPositions());
            addedDeletes = written.added();
            removedDeletes.addAll(written.replaced());
        }
        List<DataFile> added = step.added().stream()
                .map(file -> dataFile(target, file.await()))
                .toList();
        if (step.replacesAll()) {
            live.are(
                    target.viewId(),
                    target.snapshotId(),
                    added.stream()
                            .map(file -> WeirSnapshots.committed(file, metadata.nextSequenceNumber()))
                            .toList());
        }
        return new ViewMove(
                target.snapshotId(),
                added,
                removed,
                addedDeletes,
                removedDeletes,
                step.rowIdsAllocated(),
                adopted,
                frontier,
                counts(step.expectations()),
                new LastMove(millisSince(startedAt), step.rowsIn(), step.rowsOut()));
    }

    private void everything(TableMetadata metadata, List<DataFile> files, List<DeleteFile> dangling) {
        Map<String, DeleteFile> byLocation = new LinkedHashMap<>();
        for (FileScanTask task : reader.tasks(metadata, metadata.currentSnapshot())) {
            files.add(task.file());
            task.deletes().forEach(delete -> byLocation.put(delete.location() + delete.contentOffset(), delete));
        }
        dangling.addAll(byLocation.values());
    }

    private static DataFile dataFile(Target target, WrittenFile file) {
        return DataFiles.builder(target.metadata().spec())
                .withPath(target.location())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(file.sizeBytes())
                .withMetrics(file.metrics())
                .build();
    }

    private static Map<String, Long> counts(List<ExpectationCount> expectations) {
        Map<String, Long> counts = new LinkedHashMap<>();
        expectations.forEach(count -> counts.merge(count.expectation(), count.failedRows(), Long::sum));
        return counts;
    }

    private static long millisSince(long startedAt) {
        return Duration.ofNanos(System.nanoTime() - startedAt).toMillis();
    }

    boolean hasUnkept() {
        return !unkept.isEmpty();
    }

    /** The files belong to a commit now. */
    void keep() {
        unkept.clear();
    }

    /** No commit will name these files. */
    void forgetUnkept() {
        for (String location : unkept) {
            try {
                Files.deleteIfExists(stage.target(location));
            } catch (IOException e) {
                throw new UncheckedIOException("an unused file of a view can not be deleted: " + location, e);
            }
        }
        unkept.clear();
    }
}
