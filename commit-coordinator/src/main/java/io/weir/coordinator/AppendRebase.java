package io.weir.coordinator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.WeirSnapshots;
import org.apache.iceberg.io.FileIO;

/**
 * Puts a stale append on top of the current snapshot (CONTRACT 10). The manifests the client's snapshot added go before
 * the head's, under the client's snapshot id; sequence numbers, first row ids and totals are given anew.
 *
 * <p>Only a snapshot that depends on nothing but the table: an append, added manifests that hold added files only, and a
 * summary of keys known to carry no promise about what came before. A sink that fences by ancestry writes a key of its
 * own and gets its conflict.
 */
final class AppendRebase {
    static final String PROPERTY = "weir.rebase-appends";

    /** Summary keys that say what was written or by whom, never what it was written on. */
    private static final Set<String> HARMLESS = Set.of(
            "operation",
            SnapshotSummary.ADDED_FILES_PROP,
            SnapshotSummary.ADDED_RECORDS_PROP,
            SnapshotSummary.ADDED_FILE_SIZE_PROP,
            SnapshotSummary.CHANGED_PARTITION_COUNT_PROP,
            SnapshotSummary.CREATED_MANIFESTS_COUNT,
            SnapshotSummary.KEPT_MANIFESTS_COUNT,
            SnapshotSummary.REPLACED_MANIFESTS_COUNT,
            SnapshotSummary.PROCESSED_MANIFEST_ENTRY_COUNT,
            SnapshotSummary.TOTAL_DATA_FILES_PROP,
            SnapshotSummary.TOTAL_DELETE_FILES_PROP,
            SnapshotSummary.TOTAL_RECORDS_PROP,
            SnapshotSummary.TOTAL_FILE_SIZE_PROP,
            SnapshotSummary.TOTAL_POS_DELETES_PROP,
            SnapshotSummary.TOTAL_EQ_DELETES_PROP,
            "partition-summaries-included",
            "engine-name",
            "engine-version",
            "iceberg-version",
            "app-id",
            "app-name",
            "spark.app.id",
            "trino_query_id",
            "trino_user");

    /** In the names of the manifest lists written here. */
    private static final String REBASED = "-rebased-";

    private AppendRebase() {}

    /** Whether the snapshot was put where it is here, so that it is not what its writer made. */
    static boolean isRebased(Snapshot snapshot) {
        return snapshot.manifestListLocation() != null
                && snapshot.manifestListLocation().contains(REBASED);
    }

    static boolean allowed(TableMetadata metadata, IncomingSnapshot incoming) {
        Snapshot snapshot = incoming.snapshot();
        return !"off".equals(metadata.property(PROPERTY, "safe"))
                && DataOperations.APPEND.equals(snapshot.operation())
                && snapshot.keyId() == null
                && incoming.addedDeletes().isEmpty()
                && incoming.removedDeletes().isEmpty()
                && snapshot.summary().keySet().stream()
                        .allMatch(key -> HARMLESS.contains(key) || key.startsWith("partitions."));
    }

    /**
     * The client's snapshot on {@code head}.
     *
     * @param head the branch's current snapshot; null where the branch is empty
     */
    static Snapshot onto(TableMetadata metadata, Snapshot head, IncomingSnapshot incoming, FileIO io) {
        Snapshot client = incoming.snapshot();
        List<ManifestFile> manifests = new ArrayList<>();
        for (ManifestFile manifest : incoming.ownManifests()) {
            manifests.add(
                    manifest.hasExistingFiles() || manifest.hasDeletedFiles()
                            ? AddedEntries.only(metadata, manifest, client.snapshotId(), io)
                            : WeirSnapshots.unassigned(manifest));
        }
        if (head != null) {
            manifests.addAll(head.allManifests(new WholeFiles(io)));
        }
        boolean lineage = metadata.formatVersion() >= 3;
        Long firstRowId = lineage ? metadata.nextRowId() : null;
        String list =
                metadata.location() + "/metadata/snap-" + client.snapshotId() + REBASED + UUID.randomUUID() + ".avro";
        Long nextRowId = WeirSnapshots.writeManifestList(
                metadata.formatVersion(),
                io.newOutputFile(list),
                client.snapshotId(),
                head == null ? null : head.snapshotId(),
                metadata.nextSequenceNumber(),
                firstRowId,
                manifests);
        return WeirSnapshots.snapshot(
                metadata.nextSequenceNumber(),
                client.snapshotId(),
                head == null ? null : head.snapshotId(),
                Math.max(client.timestampMillis(), metadata.lastUpdatedMillis()),
                client.operation(),
                summary(head, client, manifests.size()),
                client.schemaId(),
                list,
                firstRowId,
                lineage ? nextRowId - firstRowId : null);
    }

    private static Map<String, String> summary(Snapshot head, Snapshot client, int manifests) {
        Map<String, String> summary = new HashMap<>(client.summary());
        SnapshotTotals.carry(summary, head);
        summary.put(SnapshotSummary.KEPT_MANIFESTS_COUNT, Integer.toString(manifests));
        summary.remove(SnapshotSummary.CREATED_MANIFESTS_COUNT);
        summary.remove(SnapshotSummary.REPLACED_MANIFESTS_COUNT);
        return summary;
    }
}
