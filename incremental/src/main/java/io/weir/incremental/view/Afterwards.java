package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that is done once, by whoever first asks whether it is, or given up. Safe for many threads. */
final class Afterwards {
    private static final Logger LOG = LoggerFactory.getLogger(Afterwards.class);

    /** Nothing to do. */
    static final Afterwards NOTHING = new Afterwards(null, session -> {}, Optional.of(true));

    private final Engine engine;
    private final Consumer<EngineSession> work;
    private Optional<Boolean> done;

    private Afterwards(Engine engine, Consumer<EngineSession> work, Optional<Boolean> done) {
        this.engine = engine;
        this.work = work;
        this.done = done;
    }

    Afterwards(Engine engine, Consumer<EngineSession> work) {
        this(engine, work, Optional.empty());
    }

    /** Does the work, or waits for it; false where it failed or was given up. */
    synchronized boolean isDone() {
        if (done.isEmpty()) {
            done = Optional.of(succeeds());
        }
        return done.get();
    }

    private boolean succeeds() {
        try (EngineSession session = engine.session()) {
            work.accept(session);
            return true;
        } catch (EngineException e) {
            LOG.warn("a copy of a view's state was not made; it will be read from the view's files", e);
            return false;
        }
    }

    /** When this returns the work is not being done, and will not be any more. */
    synchronized void giveUp() {
        if (done.isEmpty()) {
            done = Optional.of(false);
        }
    }
}
