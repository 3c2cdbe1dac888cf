package io.weir.coordinator;

import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints and cuts the log off, beside the commits and never in their way: on a thread of its own, one run at
 * a time. A run that fails is reported, and made up for by the next, so many entries later.
 */
final class LogKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogKeeper.class);

    private final Checkpoints checkpoints;
    private final LogRetention retention;
    private final int every;
    private final Clock clock;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("weir-log-keeper").daemon().factory());
    private final AtomicBoolean running = new AtomicBoolean();

    /** The version of the last checkpoint, also of one that could not be written. */
    private volatile long last;

    /** Reads which checkpoints there are. */
    LogKeeper(Checkpoints checkpoints, LogRetention retention, int every, Clock clock) {
        this.checkpoints = checkpoints;
        this.retention = retention;
        this.every = every;
        this.clock = clock;
        this.last = checkpoints.list().stream()
                .mapToLong(CheckpointName::version)
                .max()
                .orElse(0);
    }

    /** Says that the lake has come to this state. Returns at once. */
    void offer(CatalogState state) {
        if (isDue(state) && running.compareAndSet(false, true)) {
            thread.execute(() -> {
                try {
                    run(state);
                } catch (RuntimeException e) {
                    LOG.warn(
                            "the lake's log could not be tended at version {}; it is tried again {} entries later."
                                    + " Until then a start takes longer",
                            state.version(),
                            every,
                            e);
                } finally {
                    running.set(false);
                }
            });
        }
    }

    boolean isDue(CatalogState state) {
        return state.version().number() - last >= every;
    }

    /** @throws io.weir.store.StoreException where the store fails; what was done stays done */
    void run(CatalogState state) {
        last = state.version().number();
        CheckpointName name = checkpoints.write(state);
        LOG.info("wrote checkpoint {}", name);
        retention.run(state, clock.instant());
    }

    /** Returns when a run that is under way has ended. */
    @Override
    public void close() {
        thread.close();
    }
}
