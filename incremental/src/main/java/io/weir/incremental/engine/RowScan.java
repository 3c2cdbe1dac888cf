package io.weir.incremental.engine;

import io.weir.incremental.FileRows;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.TableRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * The SELECT that gives a table's rows from its files.
 *
 * <p>Files are read together where they are read alike: a file without deletes takes no part in any join, and only files
 * whose nested fields are called differently from the table's have these put together by hand. Columns are called
 * {@code f<field id>} until the end, so that no table's column can be taken for one of the reader's own.
 */
final class RowScan {
    private final Schema schema;
    private final boolean identity;
    private final SafePaths paths;
    private final FileFacts facts;
    private final SessionTables tables;

    RowScan(Schema schema, boolean identity, SafePaths paths, FileFacts facts, SessionTables tables) {
        this.schema = schema;
        this.identity = identity;
        this.paths = paths;
        this.facts = facts;
        this.tables = tables;
    }

    private record Likeness(List<ParquetField> nested, boolean hasDeletes) {}

    String sql(TableRows rows) {
        if (rows.isEmpty()) {
            return empty();
        }
        Map<Likeness, List<FileRows>> alike = new LinkedHashMap<>();
        for (FileRows file : rows.files()) {
            alike.computeIfAbsent(
                            new Likeness(facts.shape(file).nested(), file.hasDeletes()), same -> new ArrayList<>())
                    .add(file);
        }
        return alike.entrySet().stream()
                .map(group -> select(group.getKey().hasDeletes(), group.getValue()))
                .collect(Collectors.joining(" UNION ALL "));
    }

    private String empty() {
        String columns = schema.columns().stream()
                .map(field -> "CAST(NULL AS " + DuckTypes.toDuck(field.type()) + ") AS " + Quoting.name(field.name()))
                .collect(Collectors.joining(", "));
        return "SELECT " + columns
                + (identity
                        ? ", NULL::BIGINT AS __row_id, NULL::BIGINT AS __seq, NULL::VARCHAR AS __file,"
                                + " NULL::BIGINT AS __pos"
                        : "")
                + " WHERE false";
    }

    private String select(boolean hasDeletes, List<FileRows> files) {
        ParquetShape shape = facts.shape(files.getFirst());
        List<Types.NestedField> columns = new ArrayList<>(schema.columns());
        if (identity) {
            columns.add(RowIdentity.ROW_ID_FIELD);
            columns.add(RowIdentity.LAST_UPDATED_SEQUENCE_FIELD);
        }
        String from;
        if (hasDeletes) {
            DeletedRows deleted = new DeletedRows(schema, paths, tables);
            columns.addAll(deleted.columnsBesides(files));
            from = "(SELECT " + internals(columns) + ", CAST(file_index AS BIGINT) AS file_index, file_row_number FROM "
                    + source(shape, columns, files) + ") AS d" + deleted.antiJoins(files);
        } else {
            from = source(shape, columns, files);
        }
        return "SELECT " + outputs(shape, files) + " FROM " + from;
    }

    private String outputs(ParquetShape shape, List<FileRows> files) {
        String columns = schema.columns().stream()
                .map(field -> output(shape, field) + " AS " + Quoting.name(field.name()))
                .collect(Collectors.joining(", "));
        if (!identity) {
            return columns;
        }
        String firstRowId = perFile(
                files,
                file -> file.firstRowId().isPresent()
                        ? Long.toString(file.firstRowId().getAsLong())
                        : "NULL",
                "BIGINT");
        String sequence = perFile(files, file -> Long.toString(file.sequenceNumber()), "BIGINT");
        String location = perFile(files, file -> Quoting.text(file.location()), "VARCHAR");
        return columns + ", COALESCE(" + internal(RowIdentity.ROW_ID) + ", " + firstRowId
                + " + file_row_number) AS __row_id, COALESCE(" + internal(RowIdentity.LAST_UPDATED_SEQUENCE) + ", "
                + sequence + ") AS __seq, " + location + " AS __file, file_row_number AS __pos";
    }

    private static String output(ParquetShape shape, Types.NestedField field) {
        return byHand(shape, field)
                .map(there -> NestedRead.project(field.type(), there, internal(field.fieldId()), 0))
                .orElseGet(() -> internal(field.fieldId()));
    }

    private static Optional<ParquetField> byHand(ParquetShape shape, Types.NestedField field) {
        return shape.column(field.fieldId())
                .filter(there -> field.type().isNestedType() && !NestedRead.byNameIsById(field.type(), there));
    }

    /** A value that each file has one of. */
    private static String perFile(List<FileRows> files, Function<FileRows, String> value, String type) {
        if (files.size() == 1) {
            return "CAST(" + value.apply(files.getFirst()) + " AS " + type + ")";
        }
        return files.stream().map(value).collect(Collectors.joining(",", "CAST([", "] AS " + type + "[])"))
                + "[CAST(file_index AS BIGINT) + 1]";
    }

    private String source(ParquetShape shape, List<Types.NestedField> columns, List<FileRows> files) {
        if (files.size() == 1 && shape.namesAreClear()) {
            return byName(shape, columns, files.getFirst());
        }
        String mapping = columns.stream()
                .map(field -> mapping(field, readType(shape, field)))
                .collect(Collectors.joining(","));
        return read(paths, files.stream().map(FileRows::local).toList(), mapping);
    }

    /**
     * One file, read by the names its footer gives the field ids: a third faster for a small file than having the reader
     * find the ids.
     */
    private String byName(ParquetShape shape, List<Types.NestedField> columns, FileRows file) {
        String selected = columns.stream()
                .map(field -> shape.column(field.fieldId())
                                .map(there ->
                                        "CAST(" + Quoting.name(there.name()) + " AS " + readType(shape, field) + ")")
                                .orElseGet(() -> Defaults.initial(field))
                        + " AS " + internal(field.fieldId()))
                .collect(Collectors.joining(", "));
        return "(SELECT " + selected + ", file_index, file_row_number FROM read_parquet("
                + Quoting.text(paths.safe(file.local()).toString()) + ", hive_partitioning=false))";
    }

    private static String readType(ParquetShape shape, Types.NestedField field) {
        return byHand(shape, field)
                .map(there -> NestedRead.readType(field.type(), there))
                .orElseGet(() -> DuckTypes.toDuck(field.type()));
    }

    static String read(SafePaths paths, Collection<java.nio.file.Path> files, String mapping) {
        String list = files.stream()
                .map(file -> Quoting.text(paths.safe(file).toString()))
                .collect(Collectors.joining(",", "[", "]"));
        return "read_parquet(" + list + ", hive_partitioning=false, schema=MAP{" + mapping + "})";
    }

    static String mapping(Types.NestedField field, String type) {
        return field.fieldId() + ":{name:" + Quoting.text(internal(field.fieldId())) + ",type:" + Quoting.text(type)
                + ",default_value:" + Defaults.literal(field) + "}";
    }

    private static String internals(List<Types.NestedField> columns) {
        return columns.stream().map(field -> internal(field.fieldId())).collect(Collectors.joining(", "));
    }

    static String internal(int fieldId) {
        return "f" + fieldId;
    }
}
