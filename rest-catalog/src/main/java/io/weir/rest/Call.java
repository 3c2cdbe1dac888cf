package io.weir.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import io.weir.coordinator.Action;
import io.weir.coordinator.Caller;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitOutcome;
import io.weir.coordinator.IdempotencyKey;
import io.weir.coordinator.Lake;
import io.weir.coordinator.LakeRequest;
import io.weir.coordinator.RequestRejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTRequest;
import org.apache.iceberg.rest.RESTUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request to a warehouse: what it names, what it carries, who makes it, and its way into the lake. */
final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    /** Where the names stand in {@code /v1/{prefix}/namespaces/{namespace}/tables/{table}}. */
    private static final int NAMESPACE_SEGMENT = 4;

    private static final int TABLE_SEGMENT = 6;
    private static final Pattern FORM_ENCODING_CLIENT = Pattern.compile("^Apache Iceberg (0|1\\.([0-9]|10|11))\\.");

    private final Context ctx;
    private final Warehouse warehouse;
    private final RestOptions options;
    private byte[] bytes;
    private Optional<IdempotencyKey> key = Optional.empty();
    private Optional<CatalogState> reached = Optional.empty();

    Call(Context ctx, Warehouse warehouse, RestOptions options) {
        this.ctx = ctx;
        this.warehouse = warehouse;
        this.options = options;
    }

    /** What is committed is committed under a key. */
    void keyed(IdempotencyKey newKey) {
        this.key = Optional.of(newKey);
    }

    /**
     * The request as it was when it was first made: it reads the state before, and what it commits is taken as done.
     *
     * @param before the state it was applied to
     * @param after the state it led to
     */
    Call again(CatalogState before, CatalogState after) {
        Call again =
                new Call(ctx, new Warehouse(warehouse.prefix(), warehouse.lake(), before, warehouse.frozen()), options);
        again.bytes = bytes;
        again.reached = Optional.of(after);
        return again;
    }

    /** Method, path and query. */
    String line() {
        String query = ctx.queryString();
        return ctx.method().name() + " " + ctx.path() + (query == null ? "" : "?" + query) + "\n";
    }

    Warehouse warehouse() {
        return warehouse;
    }

    Lake lake() {
        return warehouse.lake();
    }

    /** The state every read of this request is answered from. */
    CatalogState state() {
        return warehouse.state();
    }

    Namespace namespace() {
        return namespace(segment("namespace", NAMESPACE_SEGMENT));
    }

    /** @param joined with a separator, decoded */
    Namespace namespace(String joined) {
        try {
            return Names.require(options.namespaceSeparator().split(joined, state()));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("Invalid namespace: %s", e.getMessage());
        }
    }

    TableIdentifier table() {
        return Names.table(namespace(), segment("table", TABLE_SEGMENT));
    }

    /** A namespace that is to be made. */
    Namespace requireNew(Namespace namespace) {
        options.namespaceSeparator().requireTold(Names.require(namespace));
        return namespace;
    }

    /** Takes note of the views through which something is loaded, for whoever looks at requests after they are answered. */
    void noteReferences() {
        List<TableIdentifier> views = ReferencedBy.of(ctx.queryString(), options.namespaceSeparator(), state());
        if (!views.isEmpty()) {
            ctx.attribute(RestCatalog.REFERENCED_BY, views);
        }
    }

    /** The id of a plan. */
    String plan() {
        return ctx.pathParam("plan-id");
    }

    TableIdentifier view() {
        return Names.table(namespace(), segment("view", TABLE_SEGMENT));
    }

    /**
     * A name from the path, decoded. In paths a plus is a plus; but Iceberg's Java client before 1.12 wrote spaces as
     * pluses (and pluses as %2B).
     */
    private String segment(String parameter, int index) {
        String decoded = ctx.pathParam(parameter);
        boolean formEncoded = decoded.indexOf('+') >= 0
                && header("X-Client-Version")
                        .filter(version -> FORM_ENCODING_CLIENT.matcher(version).find())
                        .isPresent();
        return formEncoded ? RESTUtil.decodeString(ctx.req().getRequestURI().split("/", -1)[index]) : decoded;
    }

    Optional<String> query(String name) {
        return Optional.ofNullable(ctx.queryParam(name));
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(ctx.header(name));
    }

    JsonNode body() {
        return Json.object(bytes());
    }

    /** The request body, at most as long as allowed. Not a copy. */
    byte[] bytes() {
        if (bytes != null) {
            return bytes;
        }
        try {
            bytes = ctx.bodyInputStream().readNBytes(options.maxRequestBytes() + 1);
        } catch (IOException e) {
            throw new UncheckedIOException("The request body could not be read", e);
        }
        if (bytes.length > options.maxRequestBytes()) {
            throw new HttpProblem(
                    413,
                    "BadRequestException",
                    "The request body is larger than " + options.maxRequestBytes() + " bytes");
        }
        return bytes;
    }

    <T extends RESTRequest> T body(Class<T> type) {
        return Json.request(body(), type);
    }

    /** A commit to a table from the body, or from a part of it. */
    TableChange change(JsonNode node, String where) {
        TableChange change = TableChange.parse(node, where);
        change.updates().forEach(update -> {
            if (update instanceof MetadataUpdate.SetLocation set) {
                StoreOf.require(lake(), set.location());
            }
        });
        return change;
    }

    /** Applies the actions, all or none. Returns the lake that holds them. */
    CatalogState commit(Action... actions) {
        return commit(List.of(actions), Optional.empty());
    }

    /** @param engine what the writer calls itself in what it writes, which tells more than its headers */
    CatalogState commit(List<Action> actions, Optional<String> engine) {
        if (reached.isPresent()) {
            return reached.get();
        }
        CommitOutcome outcome = outcome(new LakeRequest(caller(engine), actions, key));
        if (outcome instanceof CommitOutcome.Committed committed) {
            ctx.header(RestCatalog.VERSION_HEADER, committed.state().version().toString());
            return committed.state();
        }
        throw new RequestRejectedException(outcome);
    }

    private CommitOutcome outcome(LakeRequest request) {
        try {
            return lake().commit(request);
        } catch (RuntimeException e) {
            LOG.error("A commit to lake {} failed unexpectedly", lake().name(), e);
            return new CommitOutcome.Unknown("The server failed while it committed (" + e
                    + "): the commit may or may not have been applied. Load the table to see");
        }
    }

    /** Who asks, as far as the request tells. */
    Caller caller() {
        return caller(Optional.empty());
    }

    private Caller caller(Optional<String> engine) {
        return new Caller(principal(), engine.orElseGet(this::client));
    }

    String principal() {
        String principal = ctx.attribute(RestCatalog.PRINCIPAL);
        return principal == null ? "anonymous" : principal;
    }

    boolean readOnly() {
        return Boolean.TRUE.equals(ctx.<Boolean>attribute(RestCatalog.READ_ONLY));
    }

    /** Iceberg's Java client calls itself {@code Apache-HttpClient}; its version header says more. */
    private String client() {
        String agent = ctx.userAgent();
        return header("X-Client-Version")
                .filter(_ -> agent == null || agent.startsWith("Apache-HttpClient"))
                .orElse(agent == null || agent.isBlank() ? "unknown" : agent);
    }
}
