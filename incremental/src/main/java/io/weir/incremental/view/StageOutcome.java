package io.weir.incremental.view;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an advance came to. */
public sealed interface StageOutcome {
    /** The view's files stay as they are; rows that came and were left out may have been counted. */
    record Unchanged(List<ExpectationCount> expectations, long rowsIn) implements StageOutcome {}

    /**
     * The view's files change: the positions go, then the file is added.
     *
     * @param added the file of new rows, where there are any; in a unit that works ahead it may not be there yet
     * @param replacesAll every file the view had goes, with its delete files; then {@code deletedPositions} is empty
     * @param deletedPositions by file location, in rising order
     * @param rowsIn rows of the sources that left or arrived
     * @param rowsOut rows of the view that left or arrived
     * @param rowIdsAllocated how many ids from {@code nextRowId} on have been given out
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Moved(
            Optional<PendingFile> added,
            boolean replacesAll,
            Map<String, long[]> deletedPositions,
            List<ExpectationCount> expectations,
            long rowsIn,
            long rowsOut,
            long rowIdsAllocated)
            implements StageOutcome {}

    /** A row breaks an expectation that refuses its commit. {@code row} is one such row of the view, by column. */
    record Violated(String constraint, String condition, Map<String, Object> row) implements StageOutcome {}

    /** The view's SQL failed; {@code row} is a row of the source it fails on, where one could be told. */
    record Failed(String code, String message, Optional<Map<String, Object>> row) implements StageOutcome {}
}
