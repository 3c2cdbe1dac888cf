package io.weir.service.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitMeter;
import io.weir.service.ServedLakes;
import io.weir.store.StoreMeter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Everything {@code /metrics} shows: requests, commits and their steps, requests to the stores, lakes and the JVM. */
public final class ServerMetrics {
    /** The content type of {@link #text}. */
    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final double[] SECONDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final CommitMetrics commits = new CommitMetrics(registry, SECONDS);
    private final Counter requests = Counter.builder()
            .name("weir_http_requests_total")
            .help("Requests answered.")
            .labelNames("method", "route", "status")
            .register(registry);
    private final Histogram requestSeconds = Histogram.builder()
            .name("weir_http_request_seconds")
            .help("Time from a request to its answer.")
            .labelNames("method", "route")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    private final Histogram storeSeconds = Histogram.builder()
            .name("weir_store_request_seconds")
            .help("Time of requests to a lake's store, by what they ask.")
            .labelNames("lake", "request")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    private final Counter storeFailures = Counter.builder()
            .name("weir_store_failures_total")
            .help("Requests to a lake's store that ended in an error.")
            .labelNames("lake", "request")
            .register(registry);

    /** Counts from nothing. */
    public ServerMetrics() {
        JvmMetrics.builder().register(registry);
    }

    /** Where a lake's commits are told. */
    public CommitMeter commits(String lake) {
        return commits.of(lake);
    }

    /** Where the requests to a lake's store are told. */
    public StoreMeter store(String lake) {
        return (request, time, failed) -> {
            String kind = request.name().toLowerCase(Locale.ROOT);
            storeSeconds.labelValues(lake, kind).observe(seconds(time));
            if (failed) {
                storeFailures.labelValues(lake, kind).inc();
            }
        };
    }

    /**
     * A request was answered.
     *
     * @param route the path with its parameters' names, of which there are few
     */
    public void answered(String method, String route, int status, Duration time) {
        requests.labelValues(method, route, Integer.toString(status)).inc();
        requestSeconds.labelValues(method, route).observe(seconds(time));
    }

    /** From now on the lakes are shown as well. */
    public void show(ServedLakes lakes) {
        gauge(
                lakes,
                "weir_lake_version",
                "The newest entry of the lake's log.",
                state -> state.version().number());
        gauge(lakes, "weir_lake_epoch", "The epoch of the lake's leader.", CatalogState::epoch);
        gauge(
                lakes,
                "weir_lake_commits",
                "Table commits the lake's state remembers.",
                state -> state.commits().size());
        gauge(
                lakes,
                "weir_lake_tables",
                "Tables and materialized views.",
                state -> state.tablesById().size());
    }

    private void gauge(ServedLakes lakes, String name, String help, ToLongFunction<CatalogState> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("lake")
                .callback(gauge -> lakes.all()
                        .forEach(served -> gauge.call(
                                (double) value.applyAsLong(served.lake().state()),
                                served.lake().name())))
                .register(registry);
    }

    /** All of it as Prometheus reads it. */
    public String text() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(text, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
