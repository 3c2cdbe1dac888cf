package io.weir.coordinator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.WeirSnapshots;
import org.apache.iceberg.io.FileIO;

/**
 * The snapshot that a view's move makes. Where files are only added, or all there were are replaced, its manifests are
 * written straight away: nothing of the past has to be read, and nobody else writes to a view. Anything else, and the
 * merging of many small manifests, is left to Iceberg's own row delta, which costs some ten times as much.
 */
final class ViewSnapshots {
    /** Iceberg's default for {@code commit.manifest.min-count-to-merge}. */
    private static final int MANIFESTS_TO_MERGE = 100;

    private static final String ENGINE = "engine-name";
    private static final String WEIR = "weir";

    private final TableMetadata base;
    private final ViewMove move;
    private final FileIO io;
    private final List<ManifestFile> live;

    private final Making making;

    /** Has files made beside what follows: those at {@code locations}, which are all that {@code work} makes. */
    interface Making {
        void make(List<String> locations, Runnable work);
    }

    private ViewSnapshots(TableMetadata base, ViewMove move, FileIO io, Making making) {
        this.base = base;
        this.move = move;
        this.io = io;
        this.making = making;
        Snapshot head = base.currentSnapshot();
        this.live = head == null
                ? List.of()
                : head.allManifests(io).stream()
                        .filter(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles())
                        .toList();
    }

    /** The view's metadata with one more snapshot, whose manifests are in {@code io}, or being made there. */
    static TableMetadata add(TableMetadata base, ViewMove move, FileIO io, Making making) {
        ViewSnapshots view = new ViewSnapshots(base, move, io, making);
        if (view.isOfOneSpec() && view.onlyAdds()) {
            return view.write(view.live);
        }
        if (view.isOfOneSpec() && view.replacesAll()) {
            return view.write(List.of());
        }
        return DraftOperations.addSnapshot(base, move.snapshotId(), io, view::fill);
    }

    private boolean isOfOneSpec() {
        int spec = base.defaultSpecId();
        return Stream.of(move.added(), move.removed(), move.addedDeletes(), move.removedDeletes())
                .flatMap(List::stream)
                .allMatch(file -> file.specId() == spec);
    }

    private boolean onlyAdds() {
        return move.removed().isEmpty() && move.removedDeletes().isEmpty() && live.size() < MANIFESTS_TO_MERGE;
    }

    private boolean replacesAll() {
        return liveFiles(ManifestContent.DATA) == move.removed().size()
                && liveFiles(ManifestContent.DELETES) == move.removedDeletes().size();
    }

    private long liveFiles(ManifestContent content) {
        return live.stream()
                .filter(manifest -> manifest.content() == content)
                .mapToLong(manifest -> manifest.addedFilesCount() + manifest.existingFilesCount())
                .sum();
    }

    /** Where a snapshot's files will be. A manifest of nothing is not made. */
    private record Locations(Optional<String> data, Optional<String> deletes, String list) {
        int manifests() {
            return (data.isPresent() ? 1 : 0) + (deletes.isPresent() ? 1 : 0);
        }

        List<String> all() {
            return Stream.of(data, deletes, Optional.of(list))
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private TableMetadata write(List<ManifestFile> kept) {
        Locations locations = new Locations(
                location("data", move.added(), move.removed()),
                location("deletes", move.addedDeletes(), move.removedDeletes()),
                file("snap-" + move.snapshotId() + "-" + UUID.randomUUID()));
        Snapshot head = base.currentSnapshot();
        boolean lineage = base.formatVersion() >= 3;
        Long firstRowId = lineage ? base.nextRowId() : null;
        Long nextRowId = lineage ? firstRowId + rowsWithoutIds(kept) : null;
        making.make(locations.all(), () -> write(locations, kept, firstRowId, nextRowId));
        Snapshot snapshot = WeirSnapshots.snapshot(
                base.nextSequenceNumber(),
                move.snapshotId(),
                head == null ? null : head.snapshotId(),
                Math.max(System.currentTimeMillis(), base.lastUpdatedMillis()),
                operation(),
                summary(head, locations.manifests(), kept.size()),
                base.currentSchemaId(),
                locations.list(),
                firstRowId,
                lineage ? Math.max(nextRowId, aboveAdopted()) - firstRowId : null);
        return TableMetadata.buildFrom(base)
                .setBranchSnapshot(snapshot, SnapshotRef.MAIN_BRANCH)
                .discardChanges()
                .build();
    }

    /** Rows that the list gives ids: those of the new manifest, and of manifests from before the table had ids. */
    private long rowsWithoutIds(List<ManifestFile> kept) {
        long added = move.added().stream().mapToLong(DataFile::recordCount).sum();
        return added
                + kept.stream()
                        .filter(manifest -> manifest.content() == ManifestContent.DATA && manifest.firstRowId() == null)
                        .mapToLong(manifest -> manifest.addedRowsCount() + manifest.existingRowsCount())
                        .sum();
    }

    private void write(Locations locations, List<ManifestFile> kept, Long firstRowId, Long nextRowId) {
        List<ManifestFile> manifests = new ArrayList<>();
        locations
                .data()
                .ifPresent(path -> manifests.add(manifest(path, ManifestFiles::write, move.added(), move.removed())));
        locations
                .deletes()
                .ifPresent(path -> manifests.add(manifest(
                        path, ManifestFiles::writeDeleteManifest, move.addedDeletes(), move.removedDeletes())));
        manifests.addAll(kept);
        Snapshot head = base.currentSnapshot();
        Long written = WeirSnapshots.writeManifestList(
                base.formatVersion(),
                io.newOutputFile(locations.list()),
                move.snapshotId(),
                head == null ? null : head.snapshotId(),
                base.nextSequenceNumber(),
                firstRowId,
                manifests);
        if (!Objects.equals(written, nextRowId)) {
            throw new IllegalStateException("the manifest list " + locations.list() + " gives row ids up to " + written
                    + ", and the snapshot was made for " + nextRowId);
        }
    }

    /** Rows that keep their source's ids may carry some beyond the view's next one: it has to be above them all. */
    private long aboveAdopted() {
        return move.adopted().stream()
                .mapToLong(range -> range.firstRowId() + range.rows())
                .max()
                .orElse(0);
    }

    private interface NewManifest<F extends ContentFile<F>> {
        ManifestWriter<F> open(
                int formatVersion, PartitionSpec spec, org.apache.iceberg.io.OutputFile file, Long snapshotId);
    }

    private Optional<String> location(String kind, List<?> added, List<?> removed) {
        return added.isEmpty() && removed.isEmpty()
                ? Optional.empty()
                : Optional.of(file(UUID.randomUUID() + "-" + kind));
    }

    private <F extends ContentFile<F>> ManifestFile manifest(
            String path, NewManifest<F> writers, List<F> added, List<F> removed) {
        ManifestWriter<F> writer =
                writers.open(base.formatVersion(), base.spec(), io.newOutputFile(path), move.snapshotId());
        try (writer) {
            added.forEach(writer::add);
            removed.forEach(file -> writer.delete(file, file.dataSequenceNumber(), file.fileSequenceNumber()));
        } catch (IOException e) {
            throw new UncheckedIOException("can not write manifest " + path, e);
        }
        return writer.toManifestFile();
    }

    private String file(String name) {
        return base.location() + "/metadata/" + name + ".avro";
    }

    /** What Iceberg's row delta calls it. */
    private String operation() {
        if (move.removed().isEmpty() && move.addedDeletes().isEmpty()) {
            return DataOperations.APPEND;
        }
        return move.added().isEmpty() && !move.addedDeletes().isEmpty()
                ? DataOperations.DELETE
                : DataOperations.OVERWRITE;
    }

    private Map<String, String> summary(Snapshot head, int made, int kept) {
        SnapshotSummary.Builder builder = SnapshotSummary.builder();
        for (DataFile file : move.added()) {
            builder.addedFile(base.spec(), file);
        }
        for (DataFile file : move.removed()) {
            builder.deletedFile(base.spec(), file);
        }
        for (DeleteFile file : move.addedDeletes()) {
            builder.addedFile(base.spec(), file);
        }
        for (DeleteFile file : move.removedDeletes()) {
            builder.deletedFile(base.spec(), file);
        }
        Map<String, String> summary = new HashMap<>(builder.build());
        summary.put(ENGINE, WEIR);
        summary.put(SnapshotSummary.CREATED_MANIFESTS_COUNT, Integer.toString(made));
        summary.put(SnapshotSummary.KEPT_MANIFESTS_COUNT, Integer.toString(kept));
        summary.put(SnapshotSummary.REPLACED_MANIFESTS_COUNT, Integer.toString(live.size() - kept));
        SnapshotTotals.carry(summary, head);
        return summary;
    }

    private void fill(RowDelta delta) {
        move.added().forEach(delta::addRows);
        move.removed().forEach(delta::removeRows);
        move.addedDeletes().forEach(delta::addDeletes);
        move.removedDeletes().forEach(delta::removeDeletes);
        delta.set(ENGINE, WEIR);
    }
}
