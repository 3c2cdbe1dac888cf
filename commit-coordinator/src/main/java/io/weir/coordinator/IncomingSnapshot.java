package io.weir.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.WeirSnapshots;
import org.apache.iceberg.io.FileIO;

/**
 * A snapshot a client wants committed, read: its manifests and the files it adds, in the order their rows are counted.
 * Made before the request waits in the queue, so that the coordinator's thread reads nothing.
 */
record IncomingSnapshot(
        Snapshot snapshot,
        List<ManifestFile> manifests,
        List<DataFile> addedData,
        List<DataFile> removedData,
        List<DeleteFile> addedDeletes,
        List<DeleteFile> removedDeletes) {

    IncomingSnapshot {
        manifests = List.copyOf(manifests);
        addedData = List.copyOf(addedData);
        removedData = List.copyOf(removedData);
        addedDeletes = List.copyOf(addedDeletes);
        removedDeletes = List.copyOf(removedDeletes);
    }

    /** The manifests this snapshot brought; the others are its parents'. */
    List<ManifestFile> ownManifests() {
        return manifests.stream()
                .filter(manifest -> Objects.equals(manifest.snapshotId(), snapshot.snapshotId()))
                .toList();
    }

    /**
     * Reads it.
     *
     * @param specs the table's partition specs as far as they are known; a manifest of another one is asked for its own
     * @throws RequestRejectedException when its manifest list or a manifest it adds can not be read
     */
    static IncomingSnapshot read(String table, Snapshot snapshot, FileIO io, Map<Integer, PartitionSpec> specs) {
        try {
            List<ManifestFile> manifests = snapshot.allManifests(io);
            List<DataFile> added = new ArrayList<>();
            List<DataFile> removed = new ArrayList<>();
            List<DeleteFile> deletes = new ArrayList<>();
            List<DeleteFile> undeleted = new ArrayList<>();
            long id = snapshot.snapshotId();
            for (ManifestFile manifest : manifests) {
                if (Objects.equals(manifest.snapshotId(), id)) {
                    Map<Integer, PartitionSpec> known = specs.containsKey(manifest.partitionSpecId()) ? specs : null;
                    if (manifest.content() == ManifestContent.DATA) {
                        WeirSnapshots.dataFiles(manifest, io, known, id, added::add, removed::add);
                    } else {
                        WeirSnapshots.deleteFiles(manifest, io, known, id, deletes::add, undeleted::add);
                    }
                }
            }
            return new IncomingSnapshot(snapshot, manifests, added, removed, deletes, undeleted);
        } catch (RuntimeException e) {
            throw new RequestRejectedException(CommitOutcome.Rejected.of(
                    ErrorCode.BAD_FILE,
                    "snapshot " + snapshot.snapshotId() + " of table " + table + " can not be read: manifest list "
                            + snapshot.manifestListLocation() + ": " + e.getMessage(),
                    "write the manifest list and its manifests before the commit, where the catalog can read them"));
        }
    }

    long addedRows() {
        return addedData.stream().mapToLong(DataFile::recordCount).sum();
    }

    /** Rows of removed files and of position deletes; what equality deletes hit is not known without reading. */
    long deletedRows() {
        return removedData.stream().mapToLong(DataFile::recordCount).sum()
                + addedDeletes.stream()
                        .filter(file -> file.content() == FileContent.POSITION_DELETES)
                        .mapToLong(DeleteFile::recordCount)
                        .sum();
    }
}
