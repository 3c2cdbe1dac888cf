package io.weir.service.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.util.JavalinException;
import io.weir.rest.MalformedRequests;
import io.weir.rest.RestCatalog;
import io.weir.rest.RestOptions;
import io.weir.service.ServedLakes;
import io.weir.service.auth.Authentication;
import io.weir.service.metrics.ServerMetrics;
import io.weir.service.sql.SqlException;
import java.net.URI;

/**
 * The one HTTP server: the Iceberg REST protocol, {@code /sql} and operations, on virtual threads. Every response says at
 * which version of the lake it was given.
 */
public final class HttpServer implements AutoCloseable {
    private final Javalin javalin;
    private final String host;

    private HttpServer(Javalin javalin, String host) {
        this.javalin = javalin;
        this.host = host;
    }

    /** Starts to answer. Port 0 takes a free one. */
    public static HttpServer start(
            ServedLakes lakes,
            RestOptions rest,
            Authentication authentication,
            ServerMetrics metrics,
            String host,
            int port,
            long maxRequestBytes) {
        Javalin javalin =
                Javalin.create(config -> configure(config, lakes, rest, authentication, metrics, maxRequestBytes));
        try {
            javalin.start(host, port);
        } catch (JavalinException e) {
            throw new SqlException(
                    "F0000",
                    "cannot listen on " + host + ":" + port + ": " + e.getMessage(),
                    "Stop what is listening there, or choose another address with --listen HOST:PORT.",
                    e);
        }
        return new HttpServer(javalin, host);
    }

    private static void configure(
            JavalinConfig config,
            ServedLakes lakes,
            RestOptions rest,
            Authentication authentication,
            ServerMetrics metrics,
            long maxRequestBytes) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.concurrency.useVirtualThreads = true;
        config.http.maxRequestSize = maxRequestBytes;
        MalformedRequests.register(config.jetty);
        new OperationsEndpoints(metrics).register(config.routes);
        config.routes.before(context -> context.header(
                RestCatalog.VERSION_HEADER,
                lakes.first().lake().state().version().toString()));
        if (authentication.configured()) {
            new Gatekeeper(authentication).register(config.routes);
            new TokenEndpoint(authentication).register(config.routes);
        }
        config.routes.post("/sql", new SqlEndpoint(lakes)::answer);
        RestCatalog.register(config.routes, lakes::lake, rest);
        config.routes.error(404, HttpServer::notFound);
    }

    private static void notFound(Context context) {
        if (!context.path().startsWith("/v1") && context.endpoints().lastHttpEndpoint() == null) {
            SqlErrors.answer(
                    context,
                    404,
                    "42704",
                    "there is no " + context.method() + " " + context.path() + " here",
                    "There are POST /sql, /v1/config, /health/live, /health/ready and /metrics.");
        }
    }

    public URI url() {
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + javalin.port());
    }

    @Override
    public void close() {
        javalin.stop();
    }
}
