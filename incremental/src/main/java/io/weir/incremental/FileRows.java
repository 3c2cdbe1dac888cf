package io.weir.incremental;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * One data file and the deletes that hit it.
 *
 * <p>{@code location} is the name the table knows it by, {@code local} where this machine has it. Rows that carry no
 * identity of their own inherit {@code firstRowId} + position and {@code sequenceNumber}. Which deletes apply (sequence
 * numbers, partitions) is decided by the caller: everything attached here counts.
 */
public record FileRows(
        String location,
        Path local,
        long recordCount,
        OptionalLong firstRowId,
        long sequenceNumber,
        List<PositionDeletes> positionDeletes,
        List<EqualityDeletes> equalityDeletes) {
    public FileRows {
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(firstRowId, "firstRowId");
        positionDeletes = List.copyOf(positionDeletes);
        equalityDeletes = List.copyOf(equalityDeletes);
    }

    /** A file none of whose rows is deleted. */
    public static FileRows of(
            String location, Path local, long recordCount, OptionalLong firstRowId, long sequenceNumber) {
        return new FileRows(location, local, recordCount, firstRowId, sequenceNumber, List.of(), List.of());
    }

    public boolean hasDeletes() {
        return !positionDeletes.isEmpty() || !equalityDeletes.isEmpty();
    }
}
