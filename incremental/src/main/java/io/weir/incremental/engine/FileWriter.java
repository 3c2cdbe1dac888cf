package io.weir.incremental.engine;

import io.weir.incremental.WrittenFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Writes a query's rows to a Parquet file that any Iceberg engine reads. */
final class FileWriter {
    private final Statements statements;

    FileWriter(Statements statements) {
        this.statements = statements;
    }

    WrittenFile write(String sql, Schema file, Path target) {
        String columns = file.columns().stream()
                .map(field -> "CAST(" + Quoting.name(field.name()) + " AS " + DuckTypes.toDuck(field.type()) + ") AS "
                        + Quoting.name(field.name()))
                .collect(Collectors.joining(", "));
        String copy = "COPY (SELECT " + columns + " FROM (" + sql + ")) TO "
                + Quoting.text(target.toAbsolutePath().toString()) + " (FORMAT parquet, FIELD_IDS "
                + fieldIds(file.asStruct(), "") + ", RETURN_STATS)";
        try (Rows rows = statements.query(copy, java.util.List.of())) {
            rows.next();
            long count = rows.number(1);
            return new WrittenFile(
                    target, count, rows.number(2), new Metrics(count, Map.of(), Map.of(), Map.of(), Map.of()));
        }
    }

    /** {@code {a: 1, s: {__duckdb_field_id: 2, x: 3}}}: every field at every depth has its id. */
    private static String fieldIds(Types.StructType struct, String own) {
        return struct.fields().stream()
                .map(field -> Quoting.name(field.name()) + ": " + fieldId(field.fieldId(), field.type()))
                .collect(Collectors.joining(", ", "{" + own, "}"));
    }

    private static String fieldId(int id, Type type) {
        String own = "__duckdb_field_id: " + id + ", ";
        return switch (type.typeId()) {
            case STRUCT -> fieldIds(type.asStructType(), own);
            case LIST ->
                "{" + own + "element: "
                        + fieldId(
                                type.asListType().elementId(), type.asListType().elementType()) + "}";
            case MAP ->
                "{" + own + "key: "
                        + fieldId(type.asMapType().keyId(), type.asMapType().keyType()) + ", value: "
                        + fieldId(type.asMapType().valueId(), type.asMapType().valueType()) + "}";
            default -> Integer.toString(id);
        };
    }
}
