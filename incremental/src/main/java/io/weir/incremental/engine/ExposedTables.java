package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.SystemColumns;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
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
        fill(table, appender -> {
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
        fill(table, appender -> {
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

    private void fill(String table, Filling filling) {
        try (DuckDBAppender appender = connection.createAppender(catalog, "main", table)) {
            filling.into(appender);
        } catch (SQLException e) {
            throw new EngineException(
                    SqlState.INTERNAL_ERROR, "lineage could not be given to the engine: " + e.getMessage(), "", e);
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
