package io.weir.store;

import io.weir.store.ProofResult.Latency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** How long each kind of operation took; used by many threads. */
final class LatencyLog {
    private final Map<String, List<Duration>> taken = new LinkedHashMap<>();

    <T> T timed(String operation, Supplier<T> call) {
        long start = System.nanoTime();
        T result = call.get();
        add(operation, Duration.ofNanos(System.nanoTime() - start));
        return result;
    }

    private synchronized void add(String operation, Duration time) {
        taken.computeIfAbsent(operation, ignored -> new ArrayList<>()).add(time);
    }

    synchronized List<Latency> summary() {
        List<Latency> all = new ArrayList<>();
        taken.forEach((operation, times) -> {
            List<Duration> sorted = times.stream().sorted().toList();
            all.add(new Latency(
                    operation, sorted.size(), quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.getLast()));
        });
        return all;
    }

    private static Duration quantile(List<Duration> sorted, double quantile) {
        int rank = (int) Math.ceil(quantile * sorted.size());
        return sorted.get(Math.max(0, rank - 1));
    }
}
