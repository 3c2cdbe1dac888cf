package io.weir.service.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import io.weir.service.metrics.ServerMetrics;
import java.time.Duration;

/** {@code /health/live}, {@code /health/ready} and {@code /metrics} (Prometheus text). */
final class OperationsEndpoints {
    private static final String STARTED = "weir.started";

    private final ServerMetrics metrics;

    OperationsEndpoints(ServerMetrics metrics) {
        this.metrics = metrics;
    }

    void register(RoutesConfig routes) {
        routes.get("/health/live", context -> plain(context, "application/json", "{\"status\":\"live\"}"));
        routes.get("/health/ready", context -> plain(context, "application/json", "{\"status\":\"ready\"}"));
        routes.get("/metrics", context -> plain(context, ServerMetrics.CONTENT_TYPE, metrics.text()));
        routes.before(context -> context.attribute(STARTED, System.nanoTime()));
        routes.after(this::measure);
    }

    private static void plain(Context context, String type, String text) {
        context.contentType(type).result(text);
    }

    private void measure(Context context) {
        Long started = context.attribute(STARTED);
        Endpoint endpoint = context.endpoints().lastHttpEndpoint();
        Duration taken = started == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - started);
        metrics.answered(
                context.method().name(), endpoint == null ? "none" : endpoint.path, context.statusCode(), taken);
    }
}
