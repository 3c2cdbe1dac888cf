package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one unit of work has in the engine: its session, its tables, and the files that are written beside it. Working
 * ahead, files are written in sessions of their own while the unit goes on, so its tables must be seen there too.
 */
final class Workspace {
    private static final Logger LOG = LoggerFactory.getLogger(Workspace.class);

    /** Units share the engine, so their tables' names must differ. */
    private static final AtomicLong NAMES = new AtomicLong();

    private final Engine engine;
    private final EngineSession session;
    private final boolean ahead;
    private final List<String> tables = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final List<Afterwards> afterwards = new ArrayList<>();

    Workspace(Engine engine, boolean ahead) {
        this.engine = engine;
        this.session = engine.session();
        this.ahead = ahead;
    }

    boolean isAhead() {
        return ahead;
    }

    EngineSession session() {
        return session;
    }

    /** A table of the query's rows, which goes with the unit. */
    String table(String sql) {
        String name = "memory.main.moves_" + NAMES.incrementAndGet();
        session.execute("CREATE TABLE " + name + " AS " + sql);
        tables.add(name);
        return name;
    }

    /** A table of these rows, which goes with the unit. {@code columns} are as CREATE TABLE takes them. */
    String table(String columns, List<Object[]> rows) {
        String name = "memory.main.moves_" + NAMES.incrementAndGet();
        session.execute("CREATE TABLE " + name + " (" + columns + ")");
        tables.add(name);
        session.append(name, rows);
        return name;
    }

    /** Writes a file now, or beside what follows. {@code work} must read nothing that belongs to the unit's session. */
    PendingFile write(Function<EngineSession, WrittenFile> work) {
        if (!ahead) {
            return PendingFile.of(work.apply(session));
        }
        CompletableFuture<WrittenFile> written = new CompletableFuture<>();
        running.add(engine.beside(helper -> {
            try {
                written.complete(work.apply(helper));
            } catch (RuntimeException | Error e) {
                written.completeExceptionally(e);
                throw e;
            }
            return null;
        }));
        return new PendingFile(written);
    }

    /**
     * Work that the outcome of the unit does not wait for: it is done once the unit is over, or when somebody asks for
     * it before.
     */
    Afterwards afterwards(Consumer<EngineSession> work) {
        Afterwards later = new Afterwards(engine, work);
        afterwards.add(later);
        return later;
    }

    /** Waits until no file is being written any more, whatever became of it. */
    void await() {
        running.forEach(Workspace::over);
    }

    /**
     * Ends the unit, beside whatever comes next: with tables it drops, once nothing is read from them any more.
     *
     * @param accepted whether what comes {@linkplain #afterwards} is wanted
     */
    void close(List<String> others, boolean accepted) {
        List<String> dropped = new ArrayList<>(tables);
        dropped.addAll(others);
        engine.whenQuiet(() -> {
            await();
            for (Afterwards work : afterwards) {
                if (accepted) {
                    work.isDone();
                } else {
                    work.giveUp();
                }
            }
            try (session) {
                dropped.forEach(table -> session.execute("DROP TABLE IF EXISTS " + table));
            } catch (EngineException e) {
                LOG.warn("tables of a unit of work could not be dropped: {}", dropped, e);
            }
        });
    }

    private static void over(Future<?> work) {
        try {
            work.get();
        } catch (ExecutionException e) {
            LOG.debug("work beside a unit failed; who asked for it knows", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
