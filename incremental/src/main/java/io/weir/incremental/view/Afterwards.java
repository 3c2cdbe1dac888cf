package io.weir.incremental.view;

import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that is done once, by whoever first asks whether it is. Safe for many threads. */
final class Afterwards {
    private static final Logger LOG = LoggerFactory.getLogger(Afterwards.class);

    /** Nothing to do. */
    static final Afterwards NOTHING = new Afterwards(new FutureTask<>(() -> {}, null));

    private final FutureTask<Void> work;

    private Afterwards(FutureTask<Void> work) {
        this.work = work;
    }

    Afterwards(Engine engine, Consumer<EngineSession> work) {
        this(new FutureTask<>(
                () -> {
                    try (EngineSession session = engine.session()) {
                        work.accept(session);
                    }
                },
                null));
    }

    /** Does the work, or waits for it; false where it failed. */
    boolean isDone() {
        work.run();
        try {
            work.get();
            return true;
        } catch (ExecutionException e) {
            LOG.warn("a copy of a view's state was not made; it will be read from the view's files", e.getCause());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
