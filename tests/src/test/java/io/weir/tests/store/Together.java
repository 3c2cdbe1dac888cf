package io.weir.tests.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Runs something on many threads that begin at the same moment. */
final class Together {
    private Together() {}

    static <T> List<T> run(int threads, IntFunction<T> task) {
        CountDownLatch start = new CountDownLatch(threads);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                running.add(executor.submit(() -> {
                    start.countDown();
                    start.await();
                    return task.apply(number);
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get());
            }
            return results;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("a thread failed", e);
        }
    }
}
