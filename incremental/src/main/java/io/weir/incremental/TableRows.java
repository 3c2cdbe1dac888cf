package io.weir.incremental;

import java.util.List;
import org.apache.iceberg.Schema;

/**
 * Rows of a table at a snapshot, or the part of them that matters: the files with the deletes that apply to each.
 *
 * <p>{@code schema} is what the rows are read as, by field id: the table's own columns and, for whoever keeps state in
 * a table's files, the hidden ones too. Two mentions of one file are two times its rows.
 */
public record TableRows(Schema schema, List<FileRows> files) {
    public TableRows {
        files = List.copyOf(files);
    }

    public static TableRows none(Schema schema) {
        return new TableRows(schema, List.of());
    }

    public boolean isEmpty() {
        return files.isEmpty();
    }

    /** Rows in the files, before any delete. */
    public long recordCount() {
        return files.stream().mapToLong(FileRows::recordCount).sum();
    }
}
