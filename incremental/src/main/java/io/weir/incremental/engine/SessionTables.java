package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Numbers handed to the engine: as text while they are few, in a temporary table of the session when many. */
final class SessionTables {
    private static final int MAX_INLINE = 1000;
    private static final String TEMPORARY = "temp.main._weir_pairs_";

    private final DuckDBConnection connection;
    private final Statements statements;
    private int made;

    /** Whether a statement reads a table made here. */
    boolean areIn(String sql) {
        return made > 0 && sql.contains(TEMPORARY);
    }

    SessionTables(DuckDBConnection connection, Statements statements) {
        this.connection = connection;
        this.statements = statements;
    }

    /** What to put after FROM to read the pairs as columns {@code a} and {@code b}. */
    String pairs(List<long[]> pairs) {
        if (pairs.size() <= MAX_INLINE) {
            return pairs.stream()
                    .map(pair -> "(" + pair[0] + "::BIGINT," + pair[1] + "::BIGINT)")
                    .collect(Collectors.joining(",", "(SELECT * FROM (VALUES ", ") AS v(a, b))"));
        }
        String table = TEMPORARY + ++made;
        statements.execute("CREATE TEMP TABLE " + table + " (a BIGINT, b BIGINT)");
        try (DuckDBAppender appender =
                connection.createAppender("temp", "main", table.substring("temp.main.".length()))) {
            for (long[] pair : pairs) {
                appender.beginRow();
                appender.append(pair[0]);
                appender.append(pair[1]);
                appender.endRow();
            }
        } catch (SQLException e) {
            throw new EngineException(
                    SqlState.INTERNAL_ERROR, "positions could not be given to the engine: " + e.getMessage(), "", e);
        }
        return "(FROM " + table + ")";
    }
}
