package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.WrittenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Writes a query's rows to a Parquet file that any Iceberg engine reads: every column under its Iceberg type, every
 * field at every depth under its id. A file that could not be written whole is taken away again. Snappy, not zstd: it
 * takes a quarter of the time from writing, and compaction can have the last word on size.
 */
final class FileWriter {
    private final Statements statements;

    FileWriter(Statements statements) {
        this.statements = statements;
    }

    WrittenFile write(String sql, Schema file, Path target) {
        String columns = file.columns().stream()
                .map(field -> checked(field) + " AS " + Quoting.name(field.name()))
                .collect(Collectors.joining(", "));
        String copy = "COPY (SELECT " + columns + " FROM (" + sql + ")) TO "
                + Quoting.text(target.toAbsolutePath().toString())
                + " (FORMAT parquet, COMPRESSION snappy, USE_TMP_FILE false, ROW_GROUP_SIZE "
                + FileStatistics.ROWS_PER_GROUP + ", FIELD_IDS " + fieldIds(file.asStruct(), "") + ", RETURN_STATS)";
        try {
            Files.createDirectories(target.toAbsolutePath().getParent());
            return copy(copy, file, target);
        } catch (IOException e) {
            throw new EngineException(
                    SqlState.IO_ERROR, "cannot make the folder of " + target + ": " + e.getMessage(), "", e);
        } catch (EngineException e) {
            delete(target, e);
            throw e;
        }
    }

    private WrittenFile copy(String copy, Schema file, Path target) {
        try (Rows rows = statements.query(copy, List.of())) {
            if (!rows.next()) {
                throw new EngineException(SqlState.INTERNAL_ERROR, "the engine did not say what it wrote", "");
            }
            long count = rows.number(1);
            FileStatistics statistics = new FileStatistics(count, (Map<?, ?>) rows.value(4));
            for (Types.NestedField field : file.columns()) {
                if (field.isRequired() && statistics.nulls(field) > 0) {
                    throw nullIn(field.name());
                }
            }
            return new WrittenFile(target, count, rows.number(2), statistics.metrics(file));
        }
    }

    private static void delete(Path target, EngineException because) {
        try {
            Files.deleteIfExists(target);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    private static EngineException nullIn(String column) {
        return new EngineException(
                SqlState.NOT_NULL_VIOLATION,
                "column " + column + " is NULL in a row, and it is required",
                "give it a value, or make the column nullable");
    }

    /** A column as its Iceberg type. What the file's statistics cannot tell afterwards is checked row by row. */
    private static String checked(Types.NestedField field) {
        String value = Quoting.name(field.name());
        String cast = "CAST(" + value + " AS " + DuckTypes.toDuck(field.type()) + ")";
        if (field.type() instanceof Types.FixedType fixed) {
            cast = "CASE WHEN octet_length(" + cast + ") <> " + fixed.length() + " THEN "
                    + Errors.raise(
                            SqlState.STRING_TRUNCATION,
                            "column " + field.name() + " takes exactly " + fixed.length() + " bytes")
                    + " ELSE " + cast + " END";
        }
        if (field.isRequired() && field.type().isNestedType()) {
            cast = "CASE WHEN " + value + " IS NULL THEN "
                    + Errors.raise(
                            SqlState.NOT_NULL_VIOLATION,
                            "column " + field.name() + " is NULL in a row, and it is required")
                    + " ELSE " + cast + " END";
        }
        return cast;
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
            case VARIANT ->
                throw new EngineException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "variant columns cannot be written yet",
                        "store the value as a string of JSON");
            default -> Integer.toString(id);
        };
    }
}
