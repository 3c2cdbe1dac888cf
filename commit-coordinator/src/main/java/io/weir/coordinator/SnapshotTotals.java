package io.weir.coordinator;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;

/** The {@code total-…} counts of a snapshot's summary: its parent's, plus what it says it added, less what it removed. */
final class SnapshotTotals {
    private record Total(String total, String added, String removed) {}

    private static final List<Total> TOTALS = List.of(
            new Total(
                    SnapshotSummary.TOTAL_DATA_FILES_PROP,
                    SnapshotSummary.ADDED_FILES_PROP,
                    SnapshotSummary.DELETED_FILES_PROP),
            new Total(
                    SnapshotSummary.TOTAL_RECORDS_PROP,
                    SnapshotSummary.ADDED_RECORDS_PROP,
                    SnapshotSummary.DELETED_RECORDS_PROP),
            new Total(
                    SnapshotSummary.TOTAL_FILE_SIZE_PROP,
                    SnapshotSummary.ADDED_FILE_SIZE_PROP,
                    SnapshotSummary.REMOVED_FILE_SIZE_PROP),
            new Total(
                    SnapshotSummary.TOTAL_DELETE_FILES_PROP,
                    SnapshotSummary.ADDED_DELETE_FILES_PROP,
                    SnapshotSummary.REMOVED_DELETE_FILES_PROP),
            new Total(
                    SnapshotSummary.TOTAL_POS_DELETES_PROP,
                    SnapshotSummary.ADDED_POS_DELETES_PROP,
                    SnapshotSummary.REMOVED_POS_DELETES_PROP),
            new Total(
                    SnapshotSummary.TOTAL_EQ_DELETES_PROP,
                    SnapshotSummary.ADDED_EQ_DELETES_PROP,
                    SnapshotSummary.REMOVED_EQ_DELETES_PROP));

    private SnapshotTotals() {}

    /**
     * Sets the totals in {@code summary}. A total is kept only where the head has it: one that was never counted stays
     * unknown.
     *
     * @param head the parent; null: there were no rows before
     */
    static void carry(Map<String, String> summary, Snapshot head) {
        for (Total total : TOTALS) {
            String before = head == null ? "0" : head.summary().get(total.total());
            if (before == null) {
                summary.remove(total.total());
            } else {
                long now = Long.parseLong(before) + number(summary, total.added()) - number(summary, total.removed());
                summary.put(total.total(), Long.toString(now));
            }
        }
    }

    private static long number(Map<String, String> summary, String key) {
        return Long.parseLong(summary.getOrDefault(key, "0"));
    }
}
