package io.weir.coordinator;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.util.ThreadPools;

/**
 * Runs what is submitted at once, on the submitting thread. Iceberg's library reads manifests on a pool and looks every
 * 10 ms whether they are read (1.12, {@code Tasks.waitFor} and {@code ParallelIterable}): several waits in each
 * snapshot it makes, all longer than reading a few manifests takes. Safe for many threads; shutting it down does nothing.
 */
public final class SameThread extends AbstractExecutorService {
    private static final int FEW = 100;
    private static final SameThread INSTANCE = new SameThread();

    private SameThread() {}

    /** Where to read this many manifests: here if they are few, else on Iceberg's pool. */
    public static ExecutorService forManifests(int count) {
        return count <= FEW ? INSTANCE : ThreadPools.getWorkerPool();
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public void shutdown() {
        // nothing runs here that has not ended
    }

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
