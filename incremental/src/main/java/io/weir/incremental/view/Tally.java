package io.weir.incremental.view;

/**
 * What an advance comes to, in rows of the view.
 *
 * @param live rows there are now among the touched ones
 * @param arrived of these, rows that are new or changed
 * @param born of these, rows that need a new row id
 * @param left rows that are not any more as they were
 * @param broken for each expectation, rows that arrived and break it, left out or not
 */
@SuppressWarnings("ArrayRecordComponent")
record Tally(long live, long arrived, long born, long left, long[] broken) {}
