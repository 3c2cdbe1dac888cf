package io.weir.service.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.weir.service.ServedLakes;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** {@code /health/live}, {@code /health/ready} and {@code /metrics} (Prometheus text). */
final class OperationsEndpoints {
    private final ServedLakes lakes;
    private final LongAdder requests = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder micros = new LongAdder();

    OperationsEndpoints(ServedLakes lakes) {
        this.lakes = lakes;
    }

    void register(RoutesConfig routes) {
        routes.get("/health/live", context -> plain(context, "application/json", "{\"status\":\"live\"}"));
        routes.get("/health/ready", context -> plain(context, "application/json", "{\"status\":\"ready\"}"));
        routes.get("/metrics", context -> plain(context, "text/plain;version=0.0.4;charset=utf-8", metrics()));
        routes.before(context -> context.attribute("weir.started", System.nanoTime()));
        routes.after(this::measure);
    }

    private static void plain(Context context, String type, String text) {
        context.contentType(type).result(text);
    }

    private void measure(Context context) {
        Long started = context.attribute("weir.started");
        requests.increment();
        if (context.statusCode() >= 500) {
            failures.increment();
        }
        if (started != null) {
            micros.add((System.nanoTime() - started) / 1_000);
        }
    }

    private String metrics() {
        var text = new StringBuilder();
        counter(text, "weir_http_requests_total", "Requests answered.", requests.sum());
        counter(text, "weir_http_failures_total", "Requests answered with a status of 500 or above.", failures.sum());
        head(text, "weir_http_request_seconds_sum", "counter", "Time spent answering.");
        text.append("weir_http_request_seconds_sum ")
                .append(String.format(Locale.ROOT, "%.6f", micros.sum() / 1e6))
                .append('\n');
        head(text, "weir_lake_version", "gauge", "The newest entry of the lake's log: commit groups so far.");
        lakes.all()
                .forEach(served -> sample(
                        text,
                        "weir_lake_version",
                        served.lake().name(),
                        served.lake().state().version().number()));
        head(text, "weir_lake_commits", "gauge", "Table commits the lake's state remembers.");
        lakes.all()
                .forEach(served -> sample(
                        text,
                        "weir_lake_commits",
                        served.lake().name(),
                        served.lake().state().commits().size()));
        head(text, "weir_lake_tables", "gauge", "Tables and materialized views.");
        lakes.all()
                .forEach(served -> sample(
                        text,
                        "weir_lake_tables",
                        served.lake().name(),
                        served.lake().state().tablesById().size()));
        return text.toString();
    }

    private static void counter(StringBuilder text, String name, String help, long value) {
        head(text, name, "counter", help);
        text.append(name).append(' ').append(value).append('\n');
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void sample(StringBuilder text, String name, String lake, long value) {
        text.append(name)
                .append("{lake=\"")
                .append(lake)
                .append("\"} ")
                .append(value)
                .append('\n');
    }
}
