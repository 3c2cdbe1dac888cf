package io.weir.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.weir.coordinator.Action;
import io.weir.coordinator.AnsweredRequests;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.IdempotencyKey;
import io.weir.coordinator.Lake;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.Version;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.rest.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Iceberg REST protocol over lakes: the one way in from the module's outside.
 *
 * <p>Everything under {@code /v1} answers here, with the Iceberg error model. What {@code /v1/config} advertises is the
 * very list that is routed, so nothing is advertised that does not work, and the other way round. Who asks is found out
 * before: an authenticating handler leaves the name of the principal in the attribute {@link #PRINCIPAL}, and in
 * {@link #READ_ONLY} whether he may change anything.
 */
public final class RestCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(RestCatalog.class);

    /** The request attribute that holds the caller's name; without it the caller is {@code anonymous}. */
    public static final String PRINCIPAL = "weir.principal";

    /** The request attribute that is {@code true} where the caller may change nothing; without it he may. */
    public static final String READ_ONLY = "weir.read-only";

    /**
     * The request attribute that holds the views, as a list of {@code TableIdentifier}, through which the client says it
     * loads what it loads; the outermost first. Absent where it says nothing.
     */
    public static final String REFERENCED_BY = "weir.referenced-by";

    /** The response header that holds the lake's version an answer was given at. */
    public static final String VERSION_HEADER = "X-Weir-Version";

    private static final Pattern MALFORMED = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private final Warehouses warehouses;
    private final RestOptions options;

    private RestCatalog(Function<String, Optional<Lake>> lakes, RestOptions options) {
        this.warehouses = new Warehouses(lakes, options.defaultLake());
        this.options = options;
    }

    /**
     * Registers every route under {@code /v1}. Routes under it that others add (token endpoints, say) go in before.
     *
     * @param lakes by name, as served now
     */
    public static void register(RoutesConfig routes, Function<String, Optional<Lake>> lakes, RestOptions options) {
        new RestCatalog(lakes, options).register(routes);
    }

    /** Answers in the Iceberg error model a request that is refused before it gets to its route. */
    public static void refuse(Context ctx, int status, String type, String message) {
        ErrorMapper.answer(new HttpProblem(status, type, message))
                .send(ctx, ctx.method().equals(HandlerType.HEAD));
    }

    private void register(RoutesConfig routes) {
        List<Route> all = Stream.of(
                        NamespaceRoutes.all(),
                        new TableRoutes(options).all(),
                        new ViewRoutes(options).all(),
                        new ScanRoutes().all(),
                        new MetricsRoutes(options.metrics()).all(),
                        new VendedCredentials(options).all(),
                        TransactionRoutes.all())
                .flatMap(List::stream)
                .toList();
        ConfigRoute config =
                new ConfigRoute(options, all.stream().map(Route::endpoint).toList(), readOnly(all));
        routes.addHttpHandler(
                HandlerType.GET,
                "/v1/config",
                ctx -> serve(ctx, warehouses.requested(ctx.queryParam("warehouse")), config::answer));
        for (Route route : all) {
            routes.addHttpHandler(
                    HandlerType.findOrCreate(route.endpoint().httpMethod()),
                    route.endpoint().path(),
                    ctx -> serve(ctx, ctx.pathParam("prefix"), call -> answer(route, call)));
        }
        for (HandlerType method : HandlerType.commonHttp()) {
            routes.addHttpHandler(method, "/v1/*", this::notFound);
        }
    }

    private static List<Endpoint> readOnly(List<Route> routes) {
        return routes.stream()
                .filter(route -> !route.writes())
                .map(Route::endpoint)
                .toList();
    }

    private Answer answer(Route route, Call call) {
        if (route.writes() && call.readOnly()) {
            throw HttpProblem.forbidden("Principal %s may only read: it takes the role write", call.principal());
        }
        if (route.writes() && call.warehouse().frozen()) {
            throw HttpProblem.forbidden(
                    "Warehouse %s is the lake frozen at version %s and takes no writes: write to warehouse %s",
                    call.warehouse().prefix(),
                    call.state().version(),
                    call.lake().name());
        }
        return route.writes() ? once(route, call) : route.handler().answer(call);
    }

    /** A change, done once for each {@link Idempotency} key. */
    private Answer once(Route route, Call call) {
        Optional<IdempotencyKey> key = Idempotency.key(call, options.idempotencyKeyLifetime());
        if (key.isEmpty()) {
            return route.handler().answer(call);
        }
        Optional<AnsweredRequests.Answered> before =
                call.state().answered().find(key.get().key());
        if (before.isPresent()) {
            Idempotency.requireSame(key.get(), before.get());
            return again(route, call, before.get());
        }
        call.keyed(key.get());
        try {
            return route.handler().answer(call);
        } catch (RuntimeException e) {
            ErrorMapper.refusal(e)
                    .filter(refusal -> Idempotency.isFinal(refusal.status()))
                    .ifPresent(refusal -> keep(call, refusal));
            throw e;
        }
    }

    /** The caller is told of the refusal even where it can not be kept: then a retry is judged anew. */
    private static void keep(Call call, AnsweredRequests.Refusal refusal) {
        try {
            call.commit(new Action.RecordRefusal(refusal));
        } catch (RequestRejectedException e) {
            LOG.warn("a refusal can not be kept for its idempotency key: {}", e.getMessage());
        }
    }

    private static Answer again(Route route, Call call, AnsweredRequests.Answered before) {
        if (before.refusal().isPresent()) {
            AnsweredRequests.Refusal refusal = before.refusal().get();
            throw new HttpProblem(refusal.status(), refusal.type(), refusal.message());
        }
        CatalogState after = stateAt(call, before.version());
        return route.handler().answer(call.again(stateAt(call, before.version() - 1), after));
    }

    private static CatalogState stateAt(Call call, long version) {
        return call.lake()
                .stateAt(new Version(version))
                .orElseThrow(() -> new IllegalStateException("the log has no version " + version + " any more"));
    }

    private void serve(Context ctx, String name, Route.Handler handler) {
        boolean head = ctx.method().equals(HandlerType.HEAD);
        versionOfDefaultLake(ctx);
        try {
            requireWellFormedQuery(ctx);
            Warehouse warehouse = warehouses.find(name);
            ctx.header(VERSION_HEADER, warehouse.state().version().toString());
            handler.answer(new Call(ctx, warehouse, options)).send(ctx, head);
        } catch (RuntimeException e) {
            ErrorMapper.answer(e).send(ctx, head);
        }
    }

    /** The server passes over a parameter it can not decode, and then the rest would be answered as if it had not been there. */
    private static void requireWellFormedQuery(Context ctx) {
        if (ctx.queryString() != null && MALFORMED.matcher(ctx.queryString()).find()) {
            throw HttpProblem.badRequest(
                    "The query %s has a percent sign without two hexadecimal digits: write %%25 for a percent sign",
                    ctx.queryString());
        }
    }

    /** For answers that concern no lake; the others replace it. */
    private void versionOfDefaultLake(Context ctx) {
        warehouses
                .defaultLake()
                .ifPresent(lake ->
                        ctx.header(VERSION_HEADER, lake.state().version().toString()));
    }

    private void notFound(Context ctx) {
        versionOfDefaultLake(ctx);
        refuse(
                ctx,
                404,
                "NotFoundException",
                "No route " + ctx.method().name() + " " + ctx.path()
                        + ": /v1/config lists the endpoints that are served");
    }
}
