package io.weir.incremental.view;

import io.weir.incremental.FileRows;
import io.weir.incremental.TableRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a commit does to the rows of something a view reads. */
public sealed interface Change {
    /**
     * The files the commit touched, as they were and as they are. The rows of {@code removed} leave and those of
     * {@code added} arrive; a file in both (same location) keeps its rows but for what its other deletes hit, so that a
     * delete is said by naming the file twice, with its old deletes and with all it has now.
     */
    record OfFiles(TableRows removed, TableRows added) implements Change {}

    /** What an earlier stage of the same unit of work did to its view. */
    record OfStage(String viewId) implements Change {}

    /** The source had no rows, or what reads it has taken none in yet: all it has arrives. */
    record Everything(TableRows rows) implements Change {}

    /** Nothing. */
    record None() implements Change {}

    /** The change from one state of a table to another: the files that are not the same in both. */
    static Change between(TableRows before, TableRows after) {
        List<FileRows> removed = differing(before, after);
        List<FileRows> added = differing(after, before);
        return removed.isEmpty() && added.isEmpty()
                ? new None()
                : new OfFiles(new TableRows(before.schema(), removed), new TableRows(after.schema(), added));
    }

    private static List<FileRows> differing(TableRows rows, TableRows others) {
        Map<String, FileRows> known = new HashMap<>();
        others.files().forEach(file -> known.put(file.location(), file));
        return rows.files().stream()
                .filter(file -> !file.equals(known.get(file.location())))
                .toList();
    }
}
