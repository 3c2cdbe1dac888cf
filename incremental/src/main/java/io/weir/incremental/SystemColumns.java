package io.weir.incremental;

import java.time.Instant;
import java.util.List;

/**
 * A table's lineage: which version gave out which row ids, and which version a sequence number stands for.
 *
 * <p>Ranges do not overlap; a row outside all of them, or of a sequence number not listed, has NULL for what is not
 * known.
 */
public record SystemColumns(List<Range> ranges, List<Sequence> sequences) {
    public SystemColumns {
        ranges = List.copyOf(ranges);
        sequences = List.copyOf(sequences);
    }

    public static SystemColumns none() {
        return new SystemColumns(List.of(), List.of());
    }

    /** {@code rows} ids from {@code firstRowId} on, first committed by {@code version}. */
    public record Range(long firstRowId, long rows, long version, Instant createdAt) {}

    /** What was written under {@code sequenceNumber} was committed by {@code version}. */
    public record Sequence(long sequenceNumber, long version, Instant at) {}
}
