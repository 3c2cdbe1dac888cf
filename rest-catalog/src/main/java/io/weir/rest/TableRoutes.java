package io.weir.rest;

import io.weir.coordinator.Action;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitOutcome;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.TableEntry;
import io.weir.coordinator.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.Labels;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.credentials.Credential;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;

/**
 * Tables, and materialized views, which are tables to engines. Whether a change may be made is the lake's to say.
 *
 * <p>A drop with {@code purgeRequested} keeps the table for its retention like any other: what is no longer wanted is
 * deleted after it, not by the request.
 */
final class TableRoutes {
    private static final long TABLES_KEPT_CHARACTERS = 16L << 20;
    private static final long COMMITTED_KEPT_CHARACTERS = 4L << 20;
    private static final long LISTINGS_KEPT_CHARACTERS = 8L << 20;

    private final RestOptions options;
    private final VendedCredentials credentials;
    private final Renderings<TableMetadata> whole = new Renderings<>(TABLES_KEPT_CHARACTERS);
    private final Renderings<TableMetadata> referenced = new Renderings<>(TABLES_KEPT_CHARACTERS);
    /** Of those whose commits went into one entry, all are told the same of the table. */
    private final Renderings<TableMetadata> committed = new Renderings<>(COMMITTED_KEPT_CHARACTERS);

    private final Renderings<NavigableSet<String>> listings = new Renderings<>(LISTINGS_KEPT_CHARACTERS);

    TableRoutes(RestOptions options) {
        this.options = options;
        this.credentials = new VendedCredentials(options);
    }

    List<Route> all() {
        return List.of(
                new Route(Endpoint.V1_LIST_TABLES, this::list),
                new Route(Endpoint.V1_CREATE_TABLE, this::create),
                new Route(Endpoint.V1_LOAD_TABLE, this::load),
                new Route(Endpoint.V1_TABLE_EXISTS, TableRoutes::exists),
                new Route(Endpoint.V1_UPDATE_TABLE, this::update),
                new Route(Endpoint.V1_DELETE_TABLE, TableRoutes::drop),
                new Route(Endpoint.V1_RENAME_TABLE, TableRoutes::rename),
                new Route(Endpoint.V1_REGISTER_TABLE, this::register));
    }

    private Answer list(Call call) {
        Namespace namespace = call.namespace();
        NamespaceRoutes.properties(call.state(), namespace);
        NavigableSet<String> names = call.state().tableNames(namespace);
        return Page.isWhole(call)
                ? Answer.json(
                        200,
                        listings.json(names, namespace, () -> Json.write(listing(namespace, Page.of(names, call)))))
                : Answer.ok(listing(namespace, Page.of(names, call)));
    }

    private static ListTablesResponse listing(Namespace namespace, Page page) {
        return ListTablesResponse.builder()
                .addAll(page.items().stream()
                        .map(name -> TableIdentifier.of(namespace, name))
                        .toList())
                .nextPageToken(page.next())
                .build();
    }

    private Answer create(Call call) {
        Namespace namespace = call.namespace();
        CreateTableRequest request = call.body(CreateTableRequest.class);
        NewTable.requireKnownFields(call.body());
        TableIdentifier name = Names.table(namespace, request.name());
        NamespaceRoutes.properties(call.state(), namespace);
        if (call.state().table(name).isPresent()) {
            throw new HttpProblem(409, "AlreadyExistsException", "Table already exists: " + name);
        }
        if (request.location() != null) {
            StoreOf.require(call.lake(), request.location());
        }
        TableMetadata metadata = NewTable.metadata(
                request,
                call.lake().newLocation(name),
                options.defaultFormatVersion(),
                options.tableDefaults().apply(call.lake()));
        return request.stageCreate()
                ? loaded(call, name, Optional.empty(), metadata, UnknownFields.NONE_OF_TABLE)
                : loaded(call, call.commit(new Action.CreateTable(name, metadata)), name, Optional.empty());
    }

    private Answer load(Call call) {
        boolean refsOnly = refsOnly(call);
        call.noteReferences();
        TableEntry table = existing(call);
        requireMetadataFile(call, table);
        TableMetadata metadata = metadata(call, table);
        Beside beside = beside(call, table.name(), Optional.of(table), metadata);
        String tag = "\"" + tag(table.metadataLocation() + (refsOnly ? " refs " : " all ") + beside.tag()) + "\"";
        if (call.header("If-None-Match").filter(tag::equals).isPresent()) {
            return new Answer(304, null, Map.of("ETag", tag));
        }
        UnknownFields unknown = call.lake().unknownFields(table);
        if (beside.credential.isPresent()) {
            TableMetadata shown = refsOnly ? onlyReferenced(metadata) : metadata;
            return Answer.json(200, json(shown, unknown, beside)).with("ETag", tag);
        }
        String json = refsOnly
                ? referenced.json(metadata, beside, () -> json(onlyReferenced(metadata), unknown, beside))
                : whole.json(metadata, beside, () -> json(metadata, unknown, beside));
        return Answer.json(200, json).with("ETag", tag);
    }

    /** What a client is told of a table beside its metadata. */
    private record Beside(Map<String, String> config, Labels labels, Optional<Credential> credential) {
        static final Beside NOTHING = new Beside(Map.of(), Labels.EMPTY, Optional.empty());

        /** Credentials are in the configuration too, for clients that look nowhere else. */
        Beside {
            Map<String, String> all = new TreeMap<>(config);
            credential.ifPresent(given -> all.putAll(given.config()));
            config = new LinkedHashMap<>(all);
        }

        /** For as long as it is the same, a client has what it would be sent. */
        String tag() {
            return config + " " + labels;
        }
    }

    private Beside beside(Call call, TableIdentifier name, Optional<TableEntry> table, TableMetadata metadata) {
        Optional<Credential> credential = credentials.of(call, name, table, metadata);
        return new Beside(
                options.clientConfig().apply(call.lake()),
                CatalogLabels.of(
                        options.labels().apply(call.lake()), call.state(), name.namespace(), metadata.properties()),
                credential);
    }

    /**
     * The lake may answer from memory, and then engines would fail at the first use of a table whose metadata file was
     * taken away. On a local lake a look is free; on an object store it would cost each load a round trip.
     */
    private static void requireMetadataFile(Call call, TableEntry table) {
        if (table.metadataLocation().startsWith("file:")
                && !call.lake().io().newInputFile(table.metadataLocation()).exists()) {
            throw missing(table);
        }
    }

    /** The metadata of the table in the path. */
    static TableMetadata metadata(Call call) {
        return metadata(call, existing(call));
    }

    private static TableMetadata metadata(Call call, TableEntry table) {
        try {
            return call.lake().metadata(table);
        } catch (NotFoundException e) {
            throw missing(table);
        }
    }

    private static HttpProblem missing(TableEntry table) {
        return new HttpProblem(
                404,
                "NotFoundException",
                "Failed to open input stream for file: " + table.metadataLocation() + " (it is the metadata of table "
                        + table.name()
                        + " and is missing on the store: put it back, or drop the table)");
    }

    private static boolean refsOnly(Call call) {
        String mode = call.query("snapshots").orElse("all");
        return switch (mode.toLowerCase(Locale.ROOT)) {
            case "all" -> false;
            case "refs" -> true;
            default -> throw HttpProblem.badRequest("snapshots must be \"all\" or \"refs\", not \"%s\"", mode);
        };
    }

    private static TableMetadata onlyReferenced(TableMetadata metadata) {
        return TableMetadata.buildFrom(metadata)
                .withMetadataLocation(metadata.metadataFileLocation())
                .suppressHistoricalSnapshots()
                .build();
    }

    private static UUID tag(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Answer exists(Call call) {
        existing(call);
        return Answer.noContent();
    }

    private Answer update(Call call) {
        TableIdentifier name = call.table();
        TableChange change = call.change(call.body(), "");
        change.identifier().filter(other -> !other.equals(name)).ifPresent(other -> {
            throw HttpProblem.badRequest("The request is to table %s, its body names table %s", name, other);
        });
        Optional<String> id = call.state().table(name).map(TableEntry::id);
        CatalogState after = call.commit(List.of(change.of(name)), change.engine());
        TableEntry table = written(after, name, id);
        TableMetadata metadata = call.lake().metadata(table);
        UnknownFields unknown = call.lake().unknownFields(table);
        return Answer.json(
                200, committed.json(metadata, Beside.NOTHING, () -> json(metadata, unknown, Beside.NOTHING)));
    }

    private static Answer drop(Call call) {
        call.query("purgeRequested").ifPresent(TableRoutes::requireBoolean);
        call.commit(new Action.DropTable(call.table(), false));
        return Answer.noContent();
    }

    private static void requireBoolean(String text) {
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw HttpProblem.badRequest("purgeRequested must be true or false, not \"%s\"", text);
        }
    }

    private static Answer rename(Call call) {
        RenameTableRequest request = call.body(RenameTableRequest.class);
        call.commit(new Action.RenameTable(Names.require(request.source()), Names.require(request.destination())));
        return Answer.noContent();
    }

    private Answer register(Call call) {
        RegisterTableRequest request = call.body(RegisterTableRequest.class);
        TableIdentifier name = Names.table(call.namespace(), request.name());
        CatalogState after =
                call.commit(new Action.RegisterTable(name, request.metadataLocation(), request.overwrite()));
        return loaded(call, after, name, Optional.empty());
    }

    static TableEntry existing(Call call) {
        TableIdentifier name = call.table();
        return call.state()
                .table(name)
                .orElseThrow(() -> new HttpProblem(404, "NoSuchTableException", "Table does not exist: " + name));
    }

    /** The table a commit wrote, also where a later request of the same entry gave it another name. */
    private static TableEntry written(CatalogState after, TableIdentifier name, Optional<String> id) {
        return id.flatMap(after::tableById)
                .or(() -> after.table(name))
                .orElseThrow(() -> new RequestRejectedException(new CommitOutcome.Unknown("The commit to table "
                        + name + " was applied, and the table was dropped in the same version "
                        + after.version())));
    }

    private Answer loaded(Call call, CatalogState after, TableIdentifier name, Optional<String> id) {
        TableEntry table = written(after, name, id);
        return loaded(
                call,
                table.name(),
                Optional.of(table),
                call.lake().metadata(table),
                call.lake().unknownFields(table));
    }

    private Answer loaded(
            Call call,
            TableIdentifier name,
            Optional<TableEntry> table,
            TableMetadata metadata,
            UnknownFields unknown) {
        return Answer.json(200, json(metadata, unknown, beside(call, name, table, metadata)));
    }

    private static String json(TableMetadata metadata, UnknownFields unknown, Beside beside) {
        return Json.write(
                LoadTableResponse.builder()
                        .withTableMetadata(metadata)
                        .addAllConfig(beside.config)
                        .withLabels(beside.labels)
                        .addAllCredentials(beside.credential.stream().toList())
                        .build(),
                unknown);
    }
}
