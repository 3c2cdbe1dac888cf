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
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs statements of one connection under a deadline, and turns what goes wrong into coded errors. Not for several
 * threads at once. A function that never looks up (such as one regular expression over a text of gigabytes) runs past
 * its deadline: only another process could end it.
 */
final class Statements {
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("engine-deadline").factory());

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
            return new Running(connection.prepareStatement(sql));
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

    /** A statement and the timer that will cancel it. */
    final class Running implements AutoCloseable {
        private final PreparedStatement statement;
        private final Future<?> timer;
        private boolean done;
        private boolean late;

        Running(PreparedStatement statement) {
            this.statement = statement;
            this.timer = TIMER.schedule(this::cancel, deadline.toNanos(), TimeUnit.NANOSECONDS);
        }

        private synchronized Void cancel() throws SQLException {
            if (!done) {
                late = true;
                statement.cancel();
            }
            return null;
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
            timer.cancel(false);
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
