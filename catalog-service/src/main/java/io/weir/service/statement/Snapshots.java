package io.weir.service.statement;

import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;

/** What a table's current snapshot says of its size; zeros where there is none. */
record Snapshots(long rows, long files, long bytes) {

    static Snapshots of(TableMetadata metadata) {
        Snapshot current = metadata.currentSnapshot();
        if (current == null) {
            return new Snapshots(0, 0, 0);
        }
        Map<String, String> summary = current.summary();
        return new Snapshots(
                number(summary, SnapshotSummary.TOTAL_RECORDS_PROP)
                        - number(summary, SnapshotSummary.TOTAL_POS_DELETES_PROP),
                number(summary, SnapshotSummary.TOTAL_DATA_FILES_PROP),
                number(summary, SnapshotSummary.TOTAL_FILE_SIZE_PROP));
    }

    private static long number(Map<String, String> summary, String key) {
        return Long.parseLong(summary.getOrDefault(key, "0"));
    }
}
