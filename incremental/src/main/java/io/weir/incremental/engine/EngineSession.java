package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.SystemColumns;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.Schema;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A connection of its own to the engine, with temporary tables and exposed tables nobody else sees; closing it removes
 * them. For one thread at a time. It trusts its SQL: text from users goes
 * through {@link SqlGuard} first.
 */
public final class EngineSession implements AutoCloseable {
    private final Engine engine;
    private final DuckDBConnection connection;
    private final ExposedTables exposed;
    private final Statements statements;
    private final SessionTables tables;

    EngineSession(Engine engine, DuckDBConnection connection, String catalog, Duration deadline) {
        this.engine = engine;
        this.connection = connection;
        this.statements = new Statements(connection, deadline, engine::invalidated);
        this.tables = new SessionTables(connection, statements);
        this.exposed = new ExposedTables(connection, statements, catalog);
    }

    /**
     * A SELECT of the rows' columns by field id, deletes applied; with {@code identity} also {@code __row_id},
     * {@code __seq}, {@code __file} (location) and {@code __pos}.
     */
    public Relation rows(TableRows rows, boolean identity) {
        return new Relation(new RowScan(rows.schema(), identity, engine.paths(), engine.facts(), tables).sql(rows));
    }

    /**
     * Makes {@code SELECT … FROM schema.table} read {@code rows} in this session. Of the system columns those in
     * {@code named} are there too, after the table's own; a statement checked by {@link SqlGuard} knows which it names,
     * and has its stars rewritten to leave them out.
     */
    public void expose(
            String schema, String table, TableRows rows, Supplier<SystemColumns> lineage, Set<SystemColumn> named) {
        exposed.add(schema, table, rows(rows, !named.isEmpty()), lineage, named);
    }

    /**
     * As {@link #expose}, with {@code __row_id}, {@code __file} and {@code __pos} besides: for statements that change
     * the rows they find.
     */
    public void exposeWithPositions(
            String schema, String table, TableRows rows, Supplier<SystemColumns> lineage, Set<SystemColumn> named) {
        exposed.addWithPositions(schema, table, rows(rows, true), lineage, named);
    }

    /** Makes {@code SELECT … FROM schema.table} give {@code values}: rows of plain Java in the order of the columns. */
    public void exposeValues(String schema, String table, Schema columns, List<List<Object>> values) {
        exposed.addValues(schema, table, columns, values);
    }

    /**
     * Adds rows to a table of the engine's own database: numbers, texts, truth values and decimals in the order of its
     * columns.
     *
     * @param table as {@code catalog.schema.name}
     */
    public void append(String table, List<Object[]> rows) {
        String[] name = table.split("\\.", 3);
        try (DuckDBAppender appender = connection.createAppender(name[0], name[1], name[2])) {
            for (Object[] row : rows) {
                appender.beginRow();
                for (Object value : row) {
                    append(appender, value);
                }
                appender.endRow();
            }
        } catch (SQLException e) {
            throw new EngineException(
                    SqlState.INTERNAL_ERROR, "rows could not be given to the engine: " + e.getMessage(), "", e);
        }
    }

    private static void append(DuckDBAppender appender, Object value) throws SQLException {
        switch (value) {
            case null -> appender.appendNull();
            case Long number -> appender.append(number.longValue());
            case String text -> appender.append(text);
            case Boolean truth -> appender.append(truth.booleanValue());
            case BigDecimal decimal -> appender.append(decimal);
            default -> throw new IllegalArgumentException("no value for the engine: " + value.getClass());
        }
    }

    /** The columns the query would give, without running it. */
    public List<Column> describe(String sql) {
        try (Rows described = query("DESCRIBE " + sql)) {
            List<Column> columns = new ArrayList<>();
            while (described.next()) {
                columns.add(new Column((String) described.value(0), (String) described.value(1)));
            }
            return columns;
        }
    }

    /** Whether the statement reads temporary tables of this session, so that no other can run it. */
    public boolean readsOwnTables(String sql) {
        return tables.areIn(sql);
    }

    public Rows query(String sql, Object... parameters) {
        return statements.query(sql, List.of(parameters));
    }

    /** Runs a statement that gives no rows; answers how many it changed. */
    public long execute(String sql) {
        return statements.execute(sql);
    }

    /**
     * Writes the query's rows, in its order, to a new Parquet file at {@code target}.
     *
     * <p>{@code file} names everything the file holds, by field id: the query's columns are found by name, cast to
     * their Iceberg types and written in that order; columns the query has besides are left out. Fields with ids from
     * {@link io.weir.incremental.RowIdentity#FIRST_HIDDEN} on, nested ones too, are hidden: written, but in no metrics.
     * Fails with 23502 when a required column holds NULL, with 22003 when a number does not fit.
     */
    public WrittenFile write(String sql, Schema file, Path target) {
        return new FileWriter(statements).write(sql, file, target);
    }

    @Override
    public void close() {
        try (connection) {
            exposed.drop();
        } catch (SQLException e) {
            throw new EngineException(SqlState.INTERNAL_ERROR, "a session did not close: " + e.getMessage(), "", e);
        }
    }
}
