package org.apache.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.iceberg.encryption.PlaintextEncryptionManager;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;

/** Reaches the package-private classes that a snapshot and its manifest list are made of; nothing else is here. */
public final class WeirSnapshots {
    private WeirSnapshots() {}

    /**
     * Writes a manifest list.
     *
     * @param manifests new ones have an unassigned sequence number and no first row id, and are given theirs here
     * @param firstRowId null below format version 3
     * @return the next row id after the list's new rows; null below format version 3
     */
    public static Long writeManifestList(
            int formatVersion,
            OutputFile file,
            long snapshotId,
            Long parentId,
            long sequenceNumber,
            Long firstRowId,
            List<ManifestFile> manifests) {
        try (ManifestListWriter writer = ManifestLists.write(
                formatVersion,
                file,
                PlaintextEncryptionManager.instance(),
                snapshotId,
                parentId,
                sequenceNumber,
                firstRowId)) {
            writer.addAll(manifests);
            return writer.nextRowId();
        } catch (IOException e) {
            throw new UncheckedIOException("can not write manifest list " + file.location(), e);
        }
    }

    /** A manifest of a new snapshot as it stood before any list gave it a sequence number and a first row id. */
    public static ManifestFile unassigned(ManifestFile manifest) {
        return new GenericManifestFile(
                manifest.path(),
                manifest.length(),
                manifest.partitionSpecId(),
                manifest.content(),
                ManifestWriter.UNASSIGNED_SEQ,
                ManifestWriter.UNASSIGNED_SEQ,
                manifest.snapshotId(),
                manifest.partitions(),
                manifest.keyMetadata(),
                manifest.addedFilesCount(),
                manifest.addedRowsCount(),
                manifest.existingFilesCount(),
                manifest.existingRowsCount(),
                manifest.deletedFilesCount(),
                manifest.deletedRowsCount(),
                null);
    }

    /** A new data file as a manifest gives it once the snapshot that added it has its sequence number. */
    public static DataFile committed(DataFile file, long sequenceNumber) {
        GenericDataFile committed = (GenericDataFile) file.copyWithoutStats();
        committed.setDataSequenceNumber(sequenceNumber);
        committed.setFileSequenceNumber(sequenceNumber);
        return committed;
    }

    public static Snapshot snapshot(
            long sequenceNumber,
            long snapshotId,
            Long parentId,
            long timestampMillis,
            String operation,
            Map<String, String> summary,
            Integer schemaId,
            String manifestList,
            Long firstRowId,
            Long addedRows) {
        return new BaseSnapshot(
                sequenceNumber,
                snapshotId,
                parentId,
                timestampMillis,
                operation,
                summary,
                schemaId,
                manifestList,
                firstRowId,
                addedRows,
                null);
    }

    /**
     * Plans a part of a snapshot: the tasks of the files in some of its data manifests, with the deletes that hit them.
     *
     * @param dataManifests some of the snapshot's
     * @param deleteManifests all of the snapshot's
     * @param statistics ids of the fields whose metrics the files come with; null: none
     */
    public static CloseableIterable<FileScanTask> tasks(
            TableMetadata table,
            FileIO io,
            List<ManifestFile> dataManifests,
            List<ManifestFile> deleteManifests,
            Expression filter,
            boolean caseSensitive,
            Set<Integer> statistics) {
        ManifestGroup group = new ManifestGroup(io, dataManifests, deleteManifests)
                .schemasById(table.schemasById())
                .specsById(table.specsById())
                .caseSensitive(caseSensitive)
                .filterData(filter)
                .ignoreDeleted()
                .select(statistics == null ? BaseScan.SCAN_COLUMNS : BaseScan.SCAN_WITH_STATS_COLUMNS);
        return (statistics == null ? group : group.columnsToKeepStats(statistics)).planFiles();
    }

    /**
     * The data files a manifest marks as added or removed by the snapshot.
     *
     * @param specs null: the manifest says its own
     */
    public static void dataFiles(
            ManifestFile manifest,
            FileIO io,
            Map<Integer, PartitionSpec> specs,
            long snapshotId,
            Consumer<DataFile> added,
            Consumer<DataFile> removed) {
        files(ManifestFiles.read(manifest, io, specs), manifest, snapshotId, added, removed);
    }

    /** As {@link #dataFiles}, for a manifest of delete files. */
    public static void deleteFiles(
            ManifestFile manifest,
            FileIO io,
            Map<Integer, PartitionSpec> specs,
            long snapshotId,
            Consumer<DeleteFile> added,
            Consumer<DeleteFile> removed) {
        files(ManifestFiles.readDeleteManifest(manifest, io, specs), manifest, snapshotId, added, removed);
    }

    private static <F extends ContentFile<F>> void files(
            ManifestReader<F> manifest, ManifestFile name, long snapshotId, Consumer<F> added, Consumer<F> removed) {
        try (manifest;
                CloseableIterable<ManifestEntry<F>> entries = manifest.entries()) {
            for (ManifestEntry<F> entry : entries) {
                if (entry.snapshotId() == snapshotId) {
                    switch (entry.status()) {
                        case ADDED -> added.accept(entry.file().copy());
                        case DELETED -> removed.accept(entry.file().copyWithoutStats());
                        case EXISTING -> {}
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can not read manifest " + name.path(), e);
        }
    }
}
