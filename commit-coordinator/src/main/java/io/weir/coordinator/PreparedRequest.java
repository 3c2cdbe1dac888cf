package io.weir.coordinator;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;

/**
 * A request with everything read that must be read to apply it.
 *
 * @param snapshots the snapshots it adds, by id
 */
record PreparedRequest(LakeRequest request, Instant receivedAt, Map<Long, IncomingSnapshot> snapshots) {
    private static final long REQUEST_BYTES = 4 << 10;
    private static final long ENTRY_BYTES = 1 << 10;

    PreparedRequest {
        snapshots = Map.copyOf(snapshots);
    }

    /**
     * Reads what the request names.
     *
     * @param specs the partition specs of a table as it is now; none for one that is yet to be made
     * @throws RequestRejectedException when it names something that can not be read
     */
    static PreparedRequest read(
            LakeRequest request, Instant now, FileIO io, Function<TableIdentifier, Map<Integer, PartitionSpec>> specs) {
        Map<Long, IncomingSnapshot> snapshots = new HashMap<>();
        for (Action action : request.actions()) {
            if (action instanceof Action.UpdateTable update) {
                for (Snapshot snapshot : added(update.updates())) {
                    snapshots.put(
                            snapshot.snapshotId(),
                            IncomingSnapshot.read(update.name().toString(), snapshot, io, specs.apply(update.name())));
                }
            }
        }
        return new PreparedRequest(request, now, snapshots);
    }

    /** Where it waits: with those of the same table, the first it names. */
    String lane() {
        return lane(request);
    }

    static String lane(LakeRequest request) {
        return switch (request.actions().get(0)) {
            case Action.UpdateTable update -> update.name().toString();
            default -> "";
        };
    }

    /** About how much memory it takes, from above: entries of Iceberg's manifests and lists are this large or less. */
    long bytes() {
        long entries = 0;
        for (IncomingSnapshot snapshot : snapshots.values()) {
            entries += snapshot.manifests().size()
                    + snapshot.addedData().size()
                    + snapshot.removedData().size()
                    + snapshot.addedDeletes().size()
                    + snapshot.removedDeletes().size();
        }
        return REQUEST_BYTES + ENTRY_BYTES * entries;
    }

    static List<Snapshot> added(List<MetadataUpdate> updates) {
        return updates.stream()
                .filter(MetadataUpdate.AddSnapshot.class::isInstance)
                .map(update -> ((MetadataUpdate.AddSnapshot) update).snapshot())
                .toList();
    }
}
