package io.weir.incremental.view;

import io.weir.incremental.TableRows;

/** What a commit does to the rows of something a view reads. */
public sealed interface Change {
    /**
     * The files the commit touched, as they were and as they are. The rows of {@code removed} leave and those of
     * {@code added} arrive; a file in both (same location) lost only the rows that its new deletes hit, so that a
     * delete is said by naming the file twice, with its old deletes and with its old and new ones.
     */
    record OfFiles(TableRows removed, TableRows added) implements Change {}

    /** What an earlier stage of the same unit of work did to its view. */
    record OfStage(String viewId) implements Change {}

    /** Nothing. */
    record None() implements Change {}
}
