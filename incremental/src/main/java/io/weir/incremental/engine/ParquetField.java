package io.weir.incremental.engine;

import java.util.List;
import java.util.Optional;

/** A field of a Parquet file as Iceberg sees it: a list has its element as only child, a map its key and its value. */
record ParquetField(String name, int id, Kind kind, List<ParquetField> children) {
    /** The id of a field that has none. */
    static final int NO_ID = -1;

    enum Kind {
        LEAF,
        STRUCT,
        LIST,
        MAP
    }

    Optional<ParquetField> child(int wanted) {
        return children.stream().filter(child -> child.id == wanted).findFirst();
    }
}
