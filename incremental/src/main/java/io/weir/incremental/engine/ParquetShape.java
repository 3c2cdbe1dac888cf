package io.weir.incremental.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A file's columns as its footer has them. */
record ParquetShape(List<ParquetField> columns) {
    private static final Set<String> READERS_OWN = Set.of("filename", "file_row_number", "file_index");

    ParquetShape {
        columns = List.copyOf(columns);
    }

    Optional<ParquetField> column(int id) {
        return columns.stream().filter(column -> column.id() == id).findFirst();
    }

    /**
     * The nested columns. They decide which files are read alike: flat columns are found by field id whatever they are
     * called.
     */
    List<ParquetField> nested() {
        return columns.stream()
                .filter(column -> column.kind() != ParquetField.Kind.LEAF)
                .toList();
    }

    /** Whether each name stands for one column, and none for what the reader adds. */
    boolean namesAreClear() {
        Set<String> names = new HashSet<>(READERS_OWN);
        return columns.stream().allMatch(column -> names.add(column.name().toLowerCase(Locale.ROOT)));
    }
}
