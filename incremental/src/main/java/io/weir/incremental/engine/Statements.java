package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs statements of one connection under a deadline, and turns what goes wrong into coded errors. Not for several
 * threads at once. A function that never looks up (such as one regular expression over a text of gigabytes) runs past
 * its deadline: only another process could end it.
 */
final class Statements {
    private static final Logger LOG = LoggerFactory.getLogger(Statements.class);

    private final Connection connection;
    private final Duration deadline;
    private final Consumer<String> onFatal;

    Statements(Connection connection, Duration deadline, Consumer<String> onFatal) {
        this.connection = connection;
        this.deadline = deadline;
        this.onFatal = onFatal;
    }

    long execute(String sql) {
        Running running = start(sql);
        try (running) {
            running.statement.execute();
            return Math.max(0, running.statement.getLargeUpdateCount());
        } catch (SQLException e) {
            throw running.failed(e);
        }
    }

    Rows query(String sql, List<?> parameters) {
        Running running = start(sql);
        try {
            for (int i = 0; i < parameters.size(); i++) {
                running.statement.setObject(i + 1, parameters.get(i));
            }
            ResultSet results = running.statement.executeQuery();
            return new Rows(running, results, columns(results.getMetaData()));
        } catch (SQLException e) {
            EngineException failure = running.failed(e);
            running.close();
            throw failure;
        }
    }

    private static List<Column> columns(ResultSetMetaData metadata) throws SQLException {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            columns.add(new Column(metadata.getColumnName(i), metadata.getColumnTypeName(i)));
        }
        return columns;
    }

    private Running start(String sql) {
        try {
            Running running = new Running(connection.prepareStatement(sql));
            Deadlines.start(running);
            return running;
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    private EngineException translate(SQLException e) {
        String said = String.valueOf(e.getMessage());
        if (Errors.isFatal(said)) {
            onFatal.accept(said);
        }
        return Errors.translate(said, e);
    }

    /** A statement that is under way, and its deadline. */
    final class Running implements AutoCloseable {
        private final PreparedStatement statement;
        private final long end = System.nanoTime() + deadline.toNanos();
        private boolean done;
        private boolean late;

        Running(PreparedStatement statement) {
            this.statement = statement;
        }

        /** Cancels again at each call until the statement is over: a cancel between two steps of it has no effect. */
        synchronized void cancelIfLate(long now) {
            if (done || now - end < 0) {
                return;
            }
            late = true;
            try {
                statement.cancel();
            } catch (SQLException e) {
                LOG.warn("a statement past its deadline could not be cancelled", e);
            }
        }

        EngineException failed(SQLException e) {
            synchronized (this) {
                if (late) {
                    return new EngineException(
                            SqlState.QUERY_CANCELED,
                            "the statement was stopped: it ran longer than " + deadline.toMillis() + " ms",
                            "make it read or compute less, or raise the deadline",
                            e);
                }
            }
            return translate(e);
        }

        @Override
        public void close() {
            Deadlines.end(this);
            synchronized (this) {
                done = true;
            }
            try {
                statement.close();
            } catch (SQLException e) {
                throw translate(e);
            }
        }
    }
}
