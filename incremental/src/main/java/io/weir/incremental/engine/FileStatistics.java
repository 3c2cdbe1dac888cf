package io.weir.incremental.engine;

import io.weir.incremental.RowIdentity;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * What COPY said of a file's columns, as Iceberg's metrics.
 *
 * <p>A bound is there only where it bounds every value of the file. Hidden columns and uuid columns are in no map, nor
 * is anything inside lists and maps, as with Iceberg's own writers. Counts of NaN are there only where they are known to
 * be zero: of several row groups the last one's word is all that is told.
 */
final class FileStatistics {
    /** Rows in a row group at most. */
    static final int ROWS_PER_GROUP = 122_880;

    private final long rowCount;
    private final Map<?, ?> columns;
    private final Map<Integer, Long> sizes = new HashMap<>();
    private final Map<Integer, Long> values = new HashMap<>();
    private final Map<Integer, Long> nulls = new HashMap<>();
    private final Map<Integer, Long> nans = new HashMap<>();
    private final Map<Integer, ByteBuffer> lower = new HashMap<>();
    private final Map<Integer, ByteBuffer> upper = new HashMap<>();

    /** {@code columns} is COPY's {@code column_statistics}: by quoted path, each a map of texts. */
    FileStatistics(long rowCount, Map<?, ?> columns) {
        this.rowCount = rowCount;
        this.columns = columns == null ? Map.of() : columns;
    }

    /** NULLs in a flat top-level column. */
    long nulls(Types.NestedField column) {
        return number(of(Quoting.name(column.name())), "null_count", 0);
    }

    Metrics metrics(Schema file) {
        file.columns().forEach(column -> add(column, Quoting.name(column.name())));
        return new Metrics(rowCount, sizes, values, nulls, nans, lower, upper);
    }

    private Map<?, ?> of(String path) {
        return columns.get(path) instanceof Map<?, ?> column ? column : Map.of();
    }

    private void add(Types.NestedField field, String path) {
        if (RowIdentity.isHidden(field.fieldId())) {
            return;
        }
        Type type = field.type();
        if (type.isStructType()) {
            type.asStructType().fields().forEach(child -> add(child, path + "." + Quoting.name(child.name())));
            return;
        }
        Map<?, ?> column = of(path);
        if (!type.isPrimitiveType() || type.typeId() == Type.TypeID.UUID || column.isEmpty()) {
            return;
        }
        int id = field.fieldId();
        long valueCount = number(column, "num_values", rowCount);
        sizes.put(id, number(column, "column_size_bytes", 0));
        values.put(id, valueCount);
        nulls.put(id, number(column, "null_count", 0));
        if (rowCount <= ROWS_PER_GROUP && "false".equals(column.get("has_nan"))) {
            nans.put(id, 0L);
        }
        if (column.get("min") instanceof String min && column.get("max") instanceof String max) {
            Bounds.of(type, min, max).ifPresent(bounds -> {
                lower.put(id, bounds.lower());
                if (bounds.upper() != null) {
                    upper.put(id, bounds.upper());
                }
            });
        }
    }

    private static long number(Map<?, ?> column, String key, long otherwise) {
        return column.get(key) instanceof String text ? Long.parseLong(text) : otherwise;
    }
}
