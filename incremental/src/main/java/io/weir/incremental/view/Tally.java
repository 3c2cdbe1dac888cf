package io.weir.incremental.view;

/**
 * What an advance comes to, in rows of the view.
 *
 * @param touched rows there are in the moves
 * @param replaced of these, rows the view has
 * @param live rows there are now among the touched ones
 * @param arrived of these, rows that are new or changed
 * @param born of these, rows that were not there
 * @param left rows that are not any more as they were
 * @param broken for each expectation, rows that arrived and break it, left out or not
 */
@SuppressWarnings("ArrayRecordComponent")
record Tally(long touched, long replaced, long live, long arrived, long born, long left, long[] broken) {
    /** Of a view that gets these many rows and had none of them. */
    static Tally ofNew(long rows, long[] broken) {
        return new Tally(rows, 0, rows, rows, rows, 0, broken);
    }
}
