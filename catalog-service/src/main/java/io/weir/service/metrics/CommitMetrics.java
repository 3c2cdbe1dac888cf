package io.weir.service.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.weir.coordinator.CommitMeter;
import io.weir.coordinator.CommitOutcome;
import java.time.Duration;
import java.util.Locale;

/** How commits go, for all lakes. */
final class CommitMetrics {
    private final Histogram seconds;
    private final Histogram steps;
    private final Histogram groups;
    private final Counter rebases;
    private final Gauge waiting;
    private final Gauge waitingBytes;

    CommitMetrics(PrometheusRegistry registry, double[] buckets) {
        seconds = Histogram.builder()
                .name("weir_commit_seconds")
                .help(
                        "Time from a commit's arrival to its outcome; conflict, rejected, overloaded and fenced were not applied.")
                .labelNames("lake", "outcome")
                .classicOnly()
                .classicUpperBounds(buckets)
                .register(registry);
        steps = Histogram.builder()
                .name("weir_commit_step_seconds")
                .help(
                        "Time of a commit's steps: read and queue of each commit, check (with rebase), derive, write and log of each group.")
                .labelNames("lake", "step")
                .classicOnly()
                .classicUpperBounds(buckets)
                .register(registry);
        groups = Histogram.builder()
                .name("weir_commit_group_size")
                .help("Commits in a group.")
                .labelNames("lake")
                .classicOnly()
                .classicUpperBounds(1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
                .register(registry);
        rebases = Counter.builder()
                .name("weir_commit_rebases_total")
                .help("Stale appends that were put on the current snapshot.")
                .labelNames("lake")
                .register(registry);
        waiting = Gauge.builder()
                .name("weir_commits_under_way")
                .help("Commits between their arrival and their answer.")
                .labelNames("lake")
                .register(registry);
        waitingBytes = Gauge.builder()
                .name("weir_commits_under_way_bytes")
                .help("Memory the commits under way are taken to need.")
                .labelNames("lake")
                .register(registry);
    }

    CommitMeter of(String lake) {
        return new CommitMeter() {
            @Override
            public void step(Step step, Duration time) {
                steps.labelValues(lake, step.name().toLowerCase(Locale.ROOT)).observe(ServerMetrics.seconds(time));
            }

            @Override
            public void group(int requests, int rebased) {
                groups.labelValues(lake).observe(requests);
                rebases.labelValues(lake).inc(rebased);
            }

            @Override
            public void ended(CommitOutcome outcome, Duration time) {
                seconds.labelValues(lake, name(outcome)).observe(ServerMetrics.seconds(time));
            }

            @Override
            public void waiting(int commits, long bytes) {
                waiting.labelValues(lake).set(commits);
                waitingBytes.labelValues(lake).set((double) bytes);
            }
        };
    }

    private static String name(CommitOutcome outcome) {
        return switch (outcome) {
            case CommitOutcome.Committed _ -> "committed";
            case CommitOutcome.Conflict _ -> "conflict";
            case CommitOutcome.Rejected _ -> "rejected";
            case CommitOutcome.Fenced _ -> "fenced";
            case CommitOutcome.Overloaded _ -> "overloaded";
            case CommitOutcome.Unknown _ -> "unknown";
        };
    }
}
