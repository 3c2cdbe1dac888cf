package io.weir.incremental;

import java.nio.file.Path;

/** Rows of one data file that are gone, by their position in it. */
public sealed interface PositionDeletes {
    /** A v2 position delete file; only those of its rows whose {@code file_path} is the data file's location count. */
    record InFile(Path local) implements PositionDeletes {}

    /**
     * Positions already known, such as a decoded deletion vector's, in rising order. The array is not copied: it can
     * hold millions, and nobody writes to it.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Positions(long[] sorted) implements PositionDeletes {}
}
