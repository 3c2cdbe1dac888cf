package io.weir.coordinator;

import java.time.Instant;

/** A dropped table that can still be brought back, as in {@code weir.dropped}. */
public record DroppedTable(
        TableEntry table, Instant droppedAt, String droppedBy, Instant keptUntil, long liveRows, long bytes) {}
