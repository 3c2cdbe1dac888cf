package io.weir.coordinator;

import static io.weir.coordinator.Refusals.rejected;

import io.weir.coordinator.CommitOutcome.Conflict;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Applies one request to a draft: all its actions, or a {@link RequestRejectedException} that says why not. Commits to a
 * table's contents are {@link TableCommits}'; this is about names.
 */
final class RequestApplier {
    private static final String RETENTION = "weir.retention";
    private static final Duration DEFAULT_RETENTION = Duration.ofDays(1);

    private final StagedFiles.Batch io;
    private final TableMetadataFiles metadataFiles;
    private final TableCommits tables;
    private final LogicalViewCommits logicalViews;

    /** @param io where new metadata files go */
    RequestApplier(
            StagedFiles.Batch io, TableMetadataFiles metadataFiles, ViewMetadataFiles viewFiles, TableCommits tables) {
        this.io = io;
        this.metadataFiles = metadataFiles;
        this.tables = tables;
        this.logicalViews = new LogicalViewCommits(io, viewFiles, RequestApplier::checkNamespace);
    }

    Draft apply(Draft draft, PreparedRequest request) {
        Optional<IdempotencyKey> key = request.request().key();
        if (key.filter(k -> draft.state().answered().find(k.key()).isPresent()).isPresent()) {
            return draft;
        }
        Draft next = draft;
        Optional<AnsweredRequests.Refusal> refusal = Optional.empty();
        for (Action action : request.request().actions()) {
            if (action instanceof Action.RecordRefusal refused) {
                refusal = Optional.of(refused.refusal());
            } else {
                next = apply(next, request, action);
            }
        }
        return key.isPresent() ? next.plus(new Change.RequestAnswered(key.get(), refusal)) : next;
    }

    private Draft apply(Draft draft, PreparedRequest request, Action action) {
        return switch (action) {
            case Action.CreateNamespace a -> createNamespace(draft, a);
            case Action.UpdateNamespace a -> updateNamespace(draft, a);
            case Action.DropNamespace a -> dropNamespace(draft, a);
            case Action.CreateTable a -> {
                checkNewName(draft, a.name());
                yield create(draft, a.name(), a.metadata(), UnknownFields.NONE_OF_TABLE, Optional.empty());
            }
            case Action.UpdateTable a -> tables.update(draft, request, a, this::createFrom);
            case Action.DropTable a -> dropTable(draft, request, a);
            case Action.RenameTable a -> rename(draft, a);
            case Action.UndropTable a -> undrop(draft, a);
            case Action.RegisterTable a -> register(draft, a);
            case Action.RecordRefusal _ -> throw new IllegalArgumentException("a refusal belongs to a key");
            case Action.CreateView a -> logicalViews.create(draft, a);
            case Action.UpdateView a -> logicalViews.update(draft, a);
            case Action.DropView a -> logicalViews.drop(draft, a);
            case Action.RenameView a -> logicalViews.rename(draft, a);
            case Action.RegisterView a -> logicalViews.register(draft, a);
            case Action.CreateFlow a -> createFlow(draft, request, a);
            case Action.DropFlow a -> {
                TableEntry view = existingView(draft, a.name());
                checkNotFollowed(draft, view);
                yield drop(draft, request, view, false);
            }
            case Action.DetachFlow a ->
                draft.plus(new Change.FlowSet(existingView(draft, a.name()).id(), Optional.empty()));
            case Action.SuspendFlow a -> setStatus(draft, existingView(draft, a.name()), FlowEntry.Status.SUSPENDED);
            case Action.ResumeFlow a -> setStatus(draft, existingView(draft, a.name()), FlowEntry.Status.BEHIND);
        };
    }

    private Draft createNamespace(Draft draft, Action.CreateNamespace action) {
        Namespace namespace = action.namespace();
        if (namespace.isEmpty() || List.of(namespace.levels()).contains("")) {
            throw rejected(
                    ErrorCode.INVALID,
                    "a namespace has a name, and so has each of its levels",
                    "give every level a name");
        }
        if (namespace.level(0).equals("weir")) {
            throw rejected(
                    ErrorCode.NAMESPACE_EXISTS,
                    "namespace weir is the catalog's own: it holds the system tables",
                    "choose another name");
        }
        if (draft.state().hasNamespace(namespace)) {
            throw rejected(ErrorCode.NAMESPACE_EXISTS, "Namespace already exists: " + namespace, "choose another name");
        }
        if (namespace.length() > 1) {
            checkNamespace(draft, Namespace.of(Arrays.copyOf(namespace.levels(), namespace.length() - 1)));
        }
        return draft.plus(new Change.NamespaceSet(namespace, action.properties()));
    }

    private Draft updateNamespace(Draft draft, Action.UpdateNamespace action) {
        checkNamespace(draft, action.namespace());
        Map<String, String> properties =
                new HashMap<>(draft.state().namespaces().get(action.namespace()));
        properties.keySet().removeAll(action.removals());
        properties.putAll(action.updates());
        return draft.plus(new Change.NamespaceSet(action.namespace(), properties));
    }

    private Draft dropNamespace(Draft draft, Action.DropNamespace action) {
        checkNamespace(draft, action.namespace());
        List<TableEntry> tables = draft.state().tables(action.namespace());
        List<Namespace> children = draft.state().children(action.namespace());
        Stream.of(
                        tables.stream()
                                .map(table -> table.kind() + " " + table.name().name()),
                        draft.state().logicalViews(action.namespace()).stream()
                                .map(view -> "view " + view.name().name()),
                        children.stream().map(child -> "namespace " + child))
                .flatMap(held -> held)
                .findFirst()
                .ifPresent(held -> {
                    throw rejected(
                            ErrorCode.NAMESPACE_NOT_EMPTY,
                            "namespace " + action.namespace() + " is not empty: it holds " + held,
                            "drop what it holds first");
                });
        if (action.namespace().equals(CatalogState.DEFAULT_NAMESPACE)) {
            throw rejected(
                    ErrorCode.INVALID,
                    "namespace default always exists: unqualified names mean it",
                    "leave it, it costs nothing");
        }
        return draft.plus(new Change.NamespaceDropped(action.namespace()));
    }

    private Draft createFrom(Draft draft, TableIdentifier name, TableMetadata metadata, UnknownFields besides) {
        checkNewName(draft, name);
        return create(draft, name, metadata, besides, Optional.empty());
    }

    private Draft create(
            Draft draft,
            TableIdentifier name,
            TableMetadata metadata,
            UnknownFields besides,
            Optional<FlowEntry> flow) {
        checkLocation(draft, metadata, name);
        String location = Locations.firstMetadata(metadata);
        metadataFiles.keep(metadataFiles.write(metadata, besides, location, io));
        String id = UUID.randomUUID().toString();
        Draft created = draft.plus(new Change.TableCreated(id, name, location, metadata.location(), flow));
        return created.created(
                id, TableMetadata.buildFrom(metadata).discardChanges().build());
    }

    private Draft createFlow(Draft draft, PreparedRequest request, Action.CreateFlow action) {
        checkNewName(draft, action.name());
        for (Map.Entry<String, String> source : action.flow().sources().entrySet()) {
            if (draft.state().tableById(source.getValue()).isEmpty()) {
                throw new RequestRejectedException(new Conflict("view " + action.name() + " reads " + source.getKey()
                        + ", which was dropped while the view was made"));
            }
        }
        Draft created = create(
                draft, action.name(), action.metadata(), UnknownFields.NONE_OF_TABLE, Optional.of(action.flow()));
        TableEntry view = created.state().table(action.name()).orElseThrow();
        return action.fill()
                .map(fill -> tables.moveView(created, view, fill, io, request.receivedAt()))
                .orElse(created);
    }

    private Draft dropTable(Draft draft, PreparedRequest request, Action.DropTable action) {
        TableEntry table = existing(draft, action.name());
        if (table.isView()) {
            throw rejected(
                    ErrorCode.WRITTEN_BY_FLOW,
                    action.name() + " is a materialized view",
                    "use DROP MATERIALIZED VIEW " + action.name());
        }
        checkNotFollowed(draft, table);
        return drop(draft, request, table, action.now());
    }

    private Draft drop(Draft draft, PreparedRequest request, TableEntry table, boolean now) {
        if (now) {
            return draft.plus(new Change.TablePurged(table.id()));
        }
        TableMetadata metadata = tables.metadata(draft, table);
        Map<String, String> summary = Optional.ofNullable(metadata.currentSnapshot())
                .map(Snapshot::summary)
                .orElse(Map.of());
        long rows = number(summary, SnapshotSummary.TOTAL_RECORDS_PROP)
                - number(summary, SnapshotSummary.TOTAL_POS_DELETES_PROP);
        Instant at = draft.state().committedAt();
        Duration retention = Durations.parse(RETENTION, metadata.property(RETENTION, null), DEFAULT_RETENTION);
        return draft.plus(new Change.TableDropped(
                table.id(),
                request.request().caller().author(),
                at.plus(retention),
                rows,
                number(summary, SnapshotSummary.TOTAL_FILE_SIZE_PROP)));
    }

    private static long number(Map<String, String> summary, String key) {
        return Long.parseLong(summary.getOrDefault(key, "0"));
    }

    private Draft rename(Draft draft, Action.RenameTable action) {
        TableEntry table = existing(draft, action.from());
        if (action.from().equals(action.to())) {
            return draft;
        }
        if (draft.state().logicalView(action.to()).isPresent()) {
            throw rejected(
                    ErrorCode.TABLE_EXISTS,
                    "Cannot rename " + action.from() + " to " + action.to() + ". View already exists",
                    "choose another name");
        }
        checkNewName(draft, action.to());
        return draft.plus(new Change.TableRenamed(table.id(), action.to()));
    }

    private Draft undrop(Draft draft, Action.UndropTable action) {
        DroppedTable dropped = draft.state().dropped().stream()
                .filter(d -> d.table().name().equals(action.name()))
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> rejected(
                        ErrorCode.NO_SUCH_TABLE,
                        "no dropped table " + action.name() + " is kept",
                        "weir.dropped lists what can be brought back"));
        TableIdentifier as = action.as().orElse(action.name());
        checkNewName(draft, as);
        Draft back = draft.plus(new Change.TableUndropped(dropped.table().id(), as));
        boolean orphaned = dropped.table()
                .flow()
                .filter(flow -> !flow.sources().values().stream()
                        .allMatch(id -> draft.state().tableById(id).isPresent()))
                .isPresent();
        return orphaned ? back.plus(new Change.FlowSet(dropped.table().id(), Optional.empty())) : back;
    }

    private Draft register(Draft before, Action.RegisterTable action) {
        Draft draft = action.overwrite() ? makeRoom(before, action.name()) : before;
        checkNewName(draft, action.name());
        TableMetadata metadata;
        try {
            metadata = metadataFiles.read(action.metadataLocation());
        } catch (RuntimeException e) {
            throw rejected(
                    ErrorCode.BAD_FILE,
                    "metadata file " + action.metadataLocation() + " can not be read: " + e.getMessage(),
                    "name a table's current metadata file, where the catalog can read it");
        }
        TableCommits.checkFormat(metadata.formatVersion());
        checkLocation(draft, metadata, action.name());
        String id = UUID.randomUUID().toString();
        Draft created = draft.plus(new Change.TableCreated(
                id, action.name(), action.metadataLocation(), metadata.location(), Optional.empty()));
        return tables.adopt(created, id, metadata);
    }

    /** The same files may be the new table's: so the old one is not kept, and its files stay where they are. */
    private static Draft makeRoom(Draft draft, TableIdentifier name) {
        Optional<TableEntry> old = draft.state().table(name);
        if (old.isEmpty()) {
            return draft;
        }
        if (old.get().isView()) {
            throw rejected(ErrorCode.WRITTEN_BY_FLOW, name + " is a materialized view", "register under another name");
        }
        checkNotFollowed(draft, old.get());
        return draft.plus(new Change.TablePurged(old.get().id()));
    }

    private static Draft setStatus(Draft draft, TableEntry view, FlowEntry.Status status) {
        FlowEntry flow = view.flow().orElseThrow();
        if (flow.status() == status) {
            return draft;
        }
        long exactAt = flow.status() == FlowEntry.Status.CURRENT
                ? draft.state().version().number() - 1
                : flow.version();
        return draft.plus(new Change.FlowSet(view.id(), Optional.of(flow.with(status, exactAt, Optional.empty()))));
    }

    private static TableEntry existing(Draft draft, TableIdentifier name) {
        return draft.state()
                .table(name)
                .orElseThrow(() -> rejected(
                        ErrorCode.NO_SUCH_TABLE,
                        "Table does not exist: " + name,
                        "check the name; weir.dropped lists tables that can be brought back"));
    }

    private static TableEntry existingView(Draft draft, TableIdentifier name) {
        TableEntry view = existing(draft, name);
        if (!view.isView()) {
            throw rejected(
                    ErrorCode.NOT_A_FLOW,
                    name + " is a table, not a materialized view",
                    "use the statement for tables");
        }
        return view;
    }

    private static void checkNotFollowed(Draft draft, TableEntry table) {
        String followers = draft.state()
                .followers(table.id())
                .map(view -> view.name().toString())
                .sorted()
                .collect(Collectors.joining(", "));
        if (!followers.isEmpty()) {
            throw rejected(
                    ErrorCode.FOLLOWED,
                    table.kind() + " " + table.name() + " is followed by " + followers,
                    "drop what follows it first, from the end of the flow");
        }
    }

    private static void checkNewName(Draft draft, TableIdentifier name) {
        checkNamespace(draft, name.namespace());
        draft.state().table(name).ifPresent(taken -> {
            throw rejected(
                    ErrorCode.TABLE_EXISTS,
                    (taken.isView() ? "Materialized view" : "Table") + " already exists: " + name,
                    "choose another name");
        });
        if (draft.state().logicalView(name).isPresent()) {
            throw rejected(
                    ErrorCode.TABLE_EXISTS, "View with same name already exists: " + name, "choose another name");
        }
    }

    private static void checkNamespace(Draft draft, Namespace namespace) {
        if (!draft.state().hasNamespace(namespace)) {
            throw rejected(
                    ErrorCode.NO_SUCH_NAMESPACE,
                    "Namespace does not exist: " + namespace,
                    "create it first, or check the name");
        }
    }

    private static void checkLocation(Draft draft, TableMetadata metadata, TableIdentifier name) {
        if (metadata.propertyAsBoolean(Locations.ALLOW_OVERLAP, false)) {
            return;
        }
        String location = metadata.location();
        CatalogState state = draft.state();
        state.tableOverlapping(location, _ -> true).ifPresent(other -> {
            throw taken(location, name, other.name(), other.location());
        });
        state.logicalViewOverlapping(location).ifPresent(view -> {
            throw taken(location, name, view.name(), view.location());
        });
        state.droppedOverlapping(location).ifPresent(other -> {
            throw taken(location, name, other.name(), other.location());
        });
    }

    private static RequestRejectedException taken(
            String location, TableIdentifier name, TableIdentifier other, String otherLocation) {
        return rejected(
                ErrorCode.LOCATION_TAKEN,
                "location " + location + " of " + name + " overlaps that of " + other + ", " + otherLocation,
                "leave the location out, and the catalog gives one of its own");
    }
}
