package io.weir.coordinator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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

    /**
     * What each of them gives, in their order.
     *
     * @throws RuntimeException when all are done, the first failure with the others suppressed
     */
    static <T> List<T> all(List<? extends Supplier<? extends T>> questions) {
        AtomicReferenceArray<T> answers = new AtomicReferenceArray<>(questions.size());
        forEach(
                IntStream.range(0, questions.size()).boxed().toList(),
                i -> answers.set(i, questions.get(i).get()));
        return IntStream.range(0, answers.length()).mapToObj(answers::get).toList();
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
