package io.weir.coordinator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Blocking work side by side, on virtual threads. */
final class Parallel {
    private Parallel() {}

    /** Returns when all are done; then throws the first failure, if any, with the others suppressed. */
    static <T> void forEach(Collection<T> items, Consumer<T> work) {
        if (items.size() == 1) {
            work.accept(items.iterator().next());
            return;
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (T item : items) {
                running.add(threads.submit(() -> work.accept(item)));
            }
            await(running);
        }
    }

    /** Returns when all are done; then throws the first failure, if any, with the others suppressed. */
    static void await(Collection<? extends Future<?>> running) {
        RuntimeException failure = null;
        for (Future<?> future : running) {
            try {
                future.get();
            } catch (ExecutionException e) {
                RuntimeException cause = e.getCause() instanceof RuntimeException runtime
                        ? runtime
                        : new IllegalStateException(e.getCause());
                if (failure == null) {
                    failure = cause;
                } else {
                    failure.addSuppressed(cause);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for parallel work", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
