package io.weir.incremental.engine;

import io.weir.incremental.FileRows;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.TableRows;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/** The SELECT that gives a table's rows from its files. */
final class RowScan {
    private final Schema schema;
    private final boolean identity;
    private final SafePaths paths;

    RowScan(Schema schema, boolean identity, SafePaths paths) {
        this.schema = schema;
        this.identity = identity;
        this.paths = paths;
    }

    String sql(TableRows rows) {
        if (rows.isEmpty()) {
            return empty();
        }
        return "SELECT " + outputs(rows.files()) + " FROM " + source(rows.files());
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

    private String outputs(List<FileRows> files) {
        String columns = schema.columns().stream()
                .map(field -> internal(field.fieldId()) + " AS " + Quoting.name(field.name()))
                .collect(Collectors.joining(", "));
        if (!identity) {
            return columns;
        }
        return columns + ", COALESCE(" + internal(RowIdentity.ROW_ID) + ", "
                + perFile(
                        files,
                        file -> file.firstRowId().isPresent()
                                ? Long.toString(file.firstRowId().getAsLong())
                                : "NULL",
                        "BIGINT")
                + " + file_row_number) AS __row_id, COALESCE("
                + internal(RowIdentity.LAST_UPDATED_SEQUENCE) + ", "
                + perFile(files, file -> Long.toString(file.sequenceNumber()), "BIGINT") + ") AS __seq, "
                + perFile(files, file -> Quoting.text(file.location()), "VARCHAR")
                + " AS __file, file_row_number AS __pos";
    }

    /** A value that each file has one of. */
    private static String perFile(List<FileRows> files, Function<FileRows, String> value, String type) {
        if (files.size() == 1) {
            return "CAST(" + value.apply(files.getFirst()) + " AS " + type + ")";
        }
        return files.stream().map(value).collect(Collectors.joining(",", "CAST([", "] AS " + type + "[])"))
                + "[CAST(file_index AS BIGINT) + 1]";
    }

    private String source(List<FileRows> files) {
        String list = files.stream()
                .map(file -> Quoting.text(paths.safe(file.local()).toString()))
                .collect(Collectors.joining(",", "[", "]"));
        String columns = schema.columns().stream().map(RowScan::mapping).collect(Collectors.joining(","));
        String hidden = identity
                ? "," + mapping(RowIdentity.ROW_ID_FIELD) + "," + mapping(RowIdentity.LAST_UPDATED_SEQUENCE_FIELD)
                : "";
        return "read_parquet(" + list + ", hive_partitioning=false, schema=MAP{" + columns + hidden + "})";
    }

    private static String mapping(Types.NestedField field) {
        return field.fieldId() + ":{name:" + Quoting.text(internal(field.fieldId())) + ",type:"
                + Quoting.text(DuckTypes.toDuck(field.type())) + ",default_value:NULL}";
    }

    /** A name no column of a table and no virtual column can clash with while files are read. */
    private static String internal(int fieldId) {
        return "f" + fieldId;
    }
}
