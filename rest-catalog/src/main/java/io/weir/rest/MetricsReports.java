package io.weir.rest;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.metrics.MetricsReport;

/**
 * What clients reported of their scans and commits: the last of each lake, in memory, gone with the server. Safe for many
 * threads.
 */
public final class MetricsReports {
    private static final int KEPT = 10_000;

    private final Map<String, Deque<Reported>> byLake = new HashMap<>();

    /**
     * One report.
     *
     * @param author who sent it
     * @param engine what the sender calls itself
     */
    public record Reported(Instant at, TableIdentifier table, MetricsReport report, String author, String engine) {}

    synchronized void add(String lake, Reported report) {
        Deque<Reported> reports = byLake.computeIfAbsent(lake, first -> new ArrayDeque<>());
        if (reports.size() == KEPT) {
            reports.removeFirst();
        }
        reports.addLast(report);
    }

    /** Oldest first. */
    public synchronized List<Reported> of(String lake) {
        return List.copyOf(byLake.getOrDefault(lake, new ArrayDeque<>()));
    }
}
