package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.SystemColumns;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * The catalog in memory that a session's exposed tables stand in, made with the first of them. Each is a view over the
 * table's files; lineage is looked up only where a statement names a column that needs it.
 */
final class ExposedTables {
    private final DuckDBConnection connection;
    private final Statements statements;
    private final String catalog;
    private final Set<String> schemas = new HashSet<>();
    private int lineages;

    ExposedTables(DuckDBConnection connection, Statements statements, String catalog) {
        this.connection = connection;
        this.statements = statements;
        this.catalog = catalog;
    }

    void add(String schema, String table, Relation rows, Supplier<SystemColumns> lineage, Set<SystemColumn> named) {
        open(schema);
        String view = catalog + "." + Quoting.name(schema) + "." + Quoting.name(table);
        statements.execute("CREATE OR REPLACE VIEW " + view + " AS " + select(rows, lineage, named));
    }

    /** As {@link #add}, with {@code __row_id}, {@code __file} and {@code __pos} besides. */
    void addWithPositions(
            String schema, String table, Relation rows, Supplier<SystemColumns> lineage, Set<SystemColumn> named) {
        open(schema);
        String view = catalog + "." + Quoting.name(schema) + "." + Quoting.name(table);
        statements.execute("CREATE OR REPLACE VIEW " + view + " AS "
                + (named.isEmpty()
                        ? rows.sql()
                        : select(rows, lineage, named)
                                .replaceFirst("EXCLUDE \\(__row_id, __seq, __file, __pos\\)", "")));
    }

    /** A table that holds {@code values}, a row each, in the order of {@code columns}. */
    void addValues(String schema, String table, Schema columns, List<List<Object>> values) {
        open(schema);
        statements.execute("CREATE OR REPLACE TABLE " + catalog + "." + Quoting.name(schema) + "." + Quoting.name(table)
                + columns.columns().stream()
                        .map(column -> Quoting.name(column.name()) + " " + DuckTypes.toDuck(column.type()))
                        .collect(Collectors.joining(", ", " (", ")")));
        fill(schema, table, appender -> {
            for (List<Object> row : values) {
                appender.beginRow();
                for (Object value : row) {
                    append(appender, value);
                }
                appender.endRow();
            }
        });
    }

    private static void append(DuckDBAppender appender, Object value) throws SQLException {
        switch (value) {
            case null -> appender.appendNull();
            case Boolean flag -> appender.append(flag.booleanValue());
            case Integer number -> appender.append(number.intValue());
            case Long number -> appender.append(number.longValue());
            case Double number -> appender.append(number.doubleValue());
            case Float number -> appender.append(number.floatValue());
            case BigDecimal number -> appender.append(number);
            case Instant time -> appender.append(time.atOffset(ZoneOffset.UTC));
            case OffsetDateTime time -> appender.append(time);
            case LocalDateTime time -> appender.append(time);
            case LocalDate date -> appender.append(date);
            case UUID uuid -> appender.append(uuid);
            case byte[] bytes -> appender.append(bytes);
            default -> appender.append(value.toString());
        }
    }

    private void open(String schema) {
        if (schemas.isEmpty()) {
            statements.execute("ATTACH ':memory:' AS " + catalog);
            statements.execute("USE " + catalog);
            schemas.add("main");
        }
        if (schemas.add(schema)) {
            statements.execute("CREATE SCHEMA IF NOT EXISTS " + catalog + "." + Quoting.name(schema));
        }
    }

    private String select(Relation rows, Supplier<SystemColumns> lineage, Set<SystemColumn> named) {
        if (named.isEmpty()) {
            return rows.sql();
        }
        StringBuilder columns = new StringBuilder("SELECT b.* EXCLUDE (__row_id, __seq, __file, __pos)");
        StringBuilder joins = new StringBuilder(" FROM ").append(rows.as("b"));
        if (named.contains(SystemColumn.ROW_ID)) {
            columns.append(", b.__row_id AS _row_id");
        }
        boolean bySequence = named.contains(SystemColumn.VERSION) || named.contains(SystemColumn.UPDATED_AT);
        boolean byRange = named.contains(SystemColumn.CREATED_AT);
        if (bySequence || byRange) {
            SystemColumns known = lineage.get();
            lineages++;
            if (bySequence) {
                joins.append(" LEFT JOIN ").append(sequences(known)).append(" AS s ON b.__seq = s.seq");
            }
            if (byRange) {
                joins.append(" ASOF LEFT JOIN ").append(ranges(known)).append(" AS r ON b.__row_id >= r.first");
            }
        }
        if (named.contains(SystemColumn.VERSION)) {
            columns.append(", s.version AS _version");
        }
        if (named.contains(SystemColumn.CREATED_AT)) {
            columns.append(", CASE WHEN b.__row_id < r.past THEN r.committed END AS _created_at");
        }
        if (named.contains(SystemColumn.UPDATED_AT)) {
            columns.append(", s.committed AS _updated_at");
        }
        return columns.append(joins).toString();
    }

    private String sequences(SystemColumns known) {
        String table = "_sequences_" + lineages;
        statements.execute(
                "CREATE TABLE " + catalog + ".main." + table + " (seq BIGINT, version BIGINT, committed TIMESTAMPTZ)");
        fill("main", table, appender -> {
            for (SystemColumns.Sequence sequence : known.sequences()) {
                appender.beginRow();
                appender.append(sequence.sequenceNumber());
                appender.append(sequence.version());
                appender.append(sequence.at().atOffset(ZoneOffset.UTC));
                appender.endRow();
            }
        });
        return catalog + ".main." + table;
    }

    private String ranges(SystemColumns known) {
        String table = "_ranges_" + lineages;
        statements.execute(
                "CREATE TABLE " + catalog + ".main." + table + " (first BIGINT, past BIGINT, committed TIMESTAMPTZ)");
        fill("main", table, appender -> {
            for (SystemColumns.Range range : known.ranges()) {
                appender.beginRow();
                appender.append(range.firstRowId());
                appender.append(range.firstRowId() + range.rows());
                appender.append(range.createdAt().atOffset(ZoneOffset.UTC));
                appender.endRow();
            }
        });
        return catalog + ".main." + table;
    }

    private interface Filling {
        void into(DuckDBAppender appender) throws SQLException;
    }

    private void fill(String schema, String table, Filling filling) {
        try (DuckDBAppender appender = connection.createAppender(catalog, schema, table)) {
            filling.into(appender);
        } catch (SQLException e) {
            throw new EngineException(
                    SqlState.INTERNAL_ERROR, "rows could not be given to the engine: " + e.getMessage(), "", e);
        }
    }

    /** Takes the catalog away with all that is in it. */
    void drop() {
        if (!schemas.isEmpty()) {
            statements.execute("USE memory");
            statements.execute("DETACH " + catalog);
            schemas.clear();
        }
    }
}
