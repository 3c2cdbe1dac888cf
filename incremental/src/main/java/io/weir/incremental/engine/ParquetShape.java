package io.weir.incremental.engine;

import java.util.List;
import java.util.Optional;

/**
 * What of a file's schema decides how it is read: its nested columns. Flat columns are found by field id whatever they
 * are called, so all flat files are of one shape.
 */
record ParquetShape(List<ParquetField> nested) {
    static ParquetShape of(List<ParquetField> columns) {
        return new ParquetShape(columns.stream()
                .filter(column -> column.kind() != ParquetField.Kind.LEAF)
                .toList());
    }

    Optional<ParquetField> column(int id) {
        return nested.stream().filter(column -> column.id() == id).findFirst();
    }
}
