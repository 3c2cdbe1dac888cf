package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.FileRows;
import io.weir.incremental.SqlState;
import io.weir.incremental.TableRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SQL engine: one DuckDB instance in this process, opened when first needed and opened again should it become
 * unusable.
 *
 * <p>It reaches no file outside the folders it was given, loads nothing, and its settings cannot be changed once it is
 * open. It holds no data between sessions. It does not bound the memory of a single function call.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** As long as writing a commit takes. */
    private static final Duration A_LITTLE = Duration.ofMillis(25);

    private final EngineSettings settings;
    private final FileFacts facts = new FileFacts();
    private final SafePaths paths;
    private final AtomicLong sessions = new AtomicLong();
    private final ExecutorService helpers = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("engine-beside-", 0).daemon().factory());
    private DuckDBConnection root;
    private boolean closed;

    private Engine(EngineSettings settings) {
        this.settings = settings;
        this.paths = new SafePaths(settings.staging().resolve("links"));
    }

    /** An engine that opens at the first session. */
    public static Engine of(EngineSettings settings) {
        return new Engine(settings);
    }

    public EngineSession session() {
        return session(settings.deadline());
    }

    /** A session each of whose statements may take as long as {@code deadline}. */
    public EngineSession session(Duration deadline) {
        try {
            DuckDBConnection connection = root().duplicate();
            return new EngineSession(this, connection, "_session_" + sessions.incrementAndGet(), deadline);
        } catch (SQLException e) {
            throw Errors.translate(String.valueOf(e.getMessage()), e);
        }
    }

    /** Does some work in a session of its own, on a thread of its own. */
    public <T> Future<T> beside(Function<EngineSession, T> work) {
        return helpers.submit(() -> {
            try (EngineSession session = session()) {
                return work.apply(session);
            }
        });
    }

    /**
     * Does some work on a thread of its own, a little later, when what is being done now is likely to be over:
     * {@link #close} waits for it.
     */
    public void whenQuiet(Runnable work) {
        helpers.execute(() -> {
            try {
                Thread.sleep(A_LITTLE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            work.run();
        });
    }

    /** Opens the engine in the background, and pays for what the first of everything costs: a read, a group, a file. */
    public void warmUp() {
        Thread.ofVirtual().name("engine-warm-up").start(() -> {
            try {
                warm();
            } catch (EngineException | IOException e) {
                LOG.warn("the engine could not be warmed up; the first statement will say why again", e);
            }
        });
    }

    void warm() throws IOException {
        Path trial = settings.staging().resolve("warm-up-" + sessions.incrementAndGet() + ".parquet");
        Schema schema = new Schema(Types.NestedField.optional(1, "i", Types.LongType.get()));
        try (EngineSession session = session()) {
            for (int round = 0; round < 10; round++) {
                session.write("SELECT i % 2 AS i FROM range(10) AS t(i) GROUP BY 1", schema, trial);
                FileRows file = FileRows.of(trial + "?" + round, trial, 2, OptionalLong.of(0), 1);
                Relation rows = session.rows(new TableRows(schema, List.of(file)), true);
                session.query("SELECT * FROM " + rows.as("t")).close();
            }
        } finally {
            Files.deleteIfExists(trial);
        }
    }

    SafePaths paths() {
        return paths;
    }

    FileFacts facts() {
        return facts;
    }

    /** The instance has become unusable: the next session opens another. */
    synchronized void invalidated(String reason) {
        LOG.error("the engine's instance is lost and will be opened again: {}", reason);
        closeRoot();
    }

    private synchronized DuckDBConnection root() throws SQLException {
        if (closed) {
            throw new EngineException(SqlState.INTERNAL_ERROR, "the engine is closed", "");
        }
        if (root == null) {
            root = open();
        }
        return root;
    }

    private DuckDBConnection open() throws SQLException {
        Path spill = settings.staging().resolve("spill");
        try {
            Files.createDirectories(spill);
        } catch (IOException e) {
            throw new EngineException(
                    SqlState.IO_ERROR,
                    "cannot make the engine's folder " + spill + ": " + e.getMessage(),
                    "give it a folder that can be written to",
                    e);
        }
        DuckDBConnection opened;
        try {
            opened = DuckDBConnection.newConnection("jdbc:duckdb:", false, new Properties());
        } catch (SQLException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException(e);
        }
        try (Statement statement = opened.createStatement()) {
            for (String setting : locks(spill)) {
                statement.execute(setting);
            }
            return opened;
        } catch (SQLException e) {
            opened.close();
            throw e;
        }
    }

    /** The order matters: what closes the doors comes after what needs them open. */
    private List<String> locks(Path spill) {
        String allowed = Stream.concat(Stream.of(settings.staging()), settings.readable().stream())
                .map(folder -> Quoting.text(folder.toAbsolutePath().normalize() + "/"))
                .collect(Collectors.joining(",", "[", "]"));
        List<String> locks = new ArrayList<>();
        locks.add("SET memory_limit='" + settings.memoryBytes() + "B'");
        locks.add("SET threads=" + settings.threads());
        locks.add("SET temp_directory=" + Quoting.text(spill.toAbsolutePath().toString()));
        locks.add("SET max_temp_directory_size='" + settings.spillBytes() + "B'");
        locks.add("SET autoinstall_known_extensions=false");
        locks.add("SET autoload_known_extensions=false");
        locks.add("SET allow_community_extensions=false");
        locks.add("SET allow_persistent_secrets=false");
        locks.add("SET TimeZone='UTC'");
        locks.add("SET parquet_metadata_cache=true");
        locks.add("SET allowed_directories=" + allowed);
        locks.add("SET enable_external_access=false");
        locks.add("SET lock_configuration=true");
        return locks;
    }

    @Override
    public void close() {
        helpers.close();
        synchronized (this) {
            closed = true;
            closeRoot();
        }
    }

    private void closeRoot() {
        try {
            if (root != null) {
                root.close();
            }
        } catch (SQLException e) {
            LOG.warn("the engine's instance did not close cleanly", e);
        } finally {
            root = null;
        }
    }
}
