package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rows of a query, one at a time: {@code while (rows.next()) rows.value(0)}. Values are plain Java; see
 * {@link Values}. Closing it ends the query; reading on after its deadline fails with 57014.
 */
public final class Rows implements AutoCloseable {
    private final Statements.Running running;
    private final ResultSet results;
    private final List<Column> columns;
    private final Kind[] kinds;

    /** How a column's values are taken: the usual types without looking at each value what it is. */
    private enum Kind {
        WHOLE,
        TEXT,
        TRUTH,
        OTHER;

        static Kind of(Column column) {
            return switch (column.type()) {
                case "BIGINT" -> WHOLE;
                case "VARCHAR" -> TEXT;
                case "BOOLEAN" -> TRUTH;
                default -> OTHER;
            };
        }
    }

    Rows(Statements.Running running, ResultSet results, List<Column> columns) {
        this.running = running;
        this.results = results;
        this.columns = List.copyOf(columns);
        this.kinds = columns.stream().map(Kind::of).toArray(Kind[]::new);
    }

    public List<Column> columns() {
        return columns;
    }

    /** Moves to the next row; false when there is none. */
    public boolean next() {
        try {
            return results.next();
        } catch (SQLException e) {
            throw running.failed(e);
        }
    }

    /** A value of the current row, columns counted from 0; NULL is null. */
    public Object value(int column) {
        try {
            return switch (kinds[column]) {
                case WHOLE -> orNull(results.getLong(column + 1));
                case TEXT -> results.getString(column + 1);
                case TRUTH -> orNull(results.getBoolean(column + 1));
                case OTHER -> Values.plain(results.getObject(column + 1));
            };
        } catch (SQLException e) {
            throw running.failed(e);
        } catch (DateTimeException e) {
            throw new EngineException(
                    SqlState.DATA_EXCEPTION,
                    "a value of column " + columns.get(column).name() + " is no time of a day: " + e.getMessage(),
                    "cast it to VARCHAR to see it",
                    e);
        }
    }

    private Object orNull(Object value) throws SQLException {
        return results.wasNull() ? null : value;
    }

    /** A whole number that is not NULL. */
    public long number(int column) {
        try {
            return results.getLong(column + 1);
        } catch (SQLException e) {
            throw running.failed(e);
        }
    }

    /** The current row. */
    public List<Object> row() {
        List<Object> row = new ArrayList<>(columns.size());
        for (int column = 0; column < columns.size(); column++) {
            row.add(value(column));
        }
        return Collections.unmodifiableList(row);
    }

    /** All rows that are left. For results known to be small. */
    public List<List<Object>> all() {
        List<List<Object>> rows = new ArrayList<>();
        while (next()) {
            rows.add(row());
        }
        return rows;
    }

    @Override
    public void close() throws EngineException {
        running.close();
    }
}
