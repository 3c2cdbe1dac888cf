package io.weir.coordinator;

import static io.weir.coordinator.Refusals.conflict;
import static io.weir.coordinator.Refusals.rejected;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.EnvironmentContext;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;

/**
 * Commits to the contents of tables: check, rebase where it is stale, give the rows their lineage (DESIGN 3, steps 2 to
 * 5). Works on a draft; what it writes goes to the group's batch.
 */
final class TableCommits {
    /** A table with identifier fields and this property set holds one row per key. */
    static final String KEYED = "weir.keyed";

    private static final int NEWEST_FORMAT = 3;

    private final FileIO io;
    private final TableMetadataFiles metadataFiles;
    private final Supplier<Derivation.Session> engine;
    private final Instant now;

    TableCommits(FileIO io, TableMetadataFiles metadataFiles, Supplier<Derivation.Session> engine, Instant now) {
        this.io = io;
        this.metadataFiles = metadataFiles;
        this.engine = engine;
        this.now = now;
    }

    /** Makes a table out of a commit that creates it. */
    interface Creator {
        Draft create(Draft draft, TableIdentifier name, TableMetadata metadata, UnknownFields besides);
    }

    TableMetadata metadata(Draft draft, TableEntry table) {
        TableMetadata touched = draft.touched().get(table.id());
        return touched != null ? touched : metadataFiles.read(table.metadataLocation());
    }

    /** As it stands on the store. */
    TableMetadata metadataBefore(TableEntry table) {
        return metadataFiles.read(table.metadataLocation());
    }

    Draft update(Draft draft, PreparedRequest request, Action.UpdateTable action, Creator creator) {
        boolean creates =
                action.requirements().stream().anyMatch(UpdateRequirement.AssertTableDoesNotExist.class::isInstance);
        Optional<TableEntry> existing = draft.state().table(action.name());
        if (creates) {
            if (existing.isPresent()) {
                if (madeBefore(metadata(draft, existing.get()), action.updates())) {
                    return draft;
                }
                throw conflict("Requirement failed: table already exists: " + action.name());
            }
            return createAndCommit(draft, request, action, creator);
        }
        TableEntry table = existing.orElseThrow(() -> rejected(
                ErrorCode.NO_SUCH_TABLE,
                "Table does not exist: " + action.name(),
                "check the name; weir.dropped lists tables that can be brought back"));
        TableMetadata base = metadata(draft, table);
        if (alreadyApplied(base, action.updates())) {
            return draft;
        }
        checkWritable(table, action);
        checkUnderstood(base, action);
        List<Snapshot> added = PreparedRequest.added(action.updates());
        Optional<IncomingSnapshot> onlyAppend = added.size() == 1
                ? Optional.of(request.snapshots().get(added.get(0).snapshotId()))
                        .filter(incoming -> AppendRebase.allowed(base, incoming) && !action.hasUnknownSnapshots())
                : Optional.empty();
        Optional<String> branch = onlyAppend.flatMap(incoming -> soleBranch(action.updates(), incoming));
        boolean stale = validate(base, action.requirements(), branch)
                || (branch.isPresent() && isBehind(base, branch.get(), onlyAppend.get()));
        TableMetadata.Builder builder = TableMetadata.buildFrom(base);
        List<IncomingSnapshot> landed = new ArrayList<>();
        boolean keyed = onlyAppend.isPresent()
                && base.propertyAsBoolean(KEYED, false)
                && branch.filter(SnapshotRef.MAIN_BRANCH::equals).isPresent();
        TableMetadata changed;
        if (keyed) {
            changed = upsert(table, base, onlyAppend.get());
            landed.add(onlyAppend.get());
        } else {
            for (MetadataUpdate update : action.updates()) {
                if (update instanceof MetadataUpdate.AddSnapshot add) {
                    IncomingSnapshot incoming =
                            request.snapshots().get(add.snapshot().snapshotId());
                    checkFiles(action.name(), base, action.updates(), incoming);
                    landed.add(incoming);
                    if (stale) {
                        Snapshot head = Optional.ofNullable(base.ref(branch.orElseThrow()))
                                .map(ref -> base.snapshot(ref.snapshotId()))
                                .orElse(null);
                        builder.addSnapshot(AppendRebase.onto(base, head, incoming, io));
                        continue;
                    }
                    checkOrder(action.name(), base, add.snapshot());
                }
                apply(action.name(), update, builder);
            }
            changed = build(action.name(), builder);
        }
        checkChanged(draft, table, base, changed);
        return landed(draft.besides(table.id(), action.besides()), request, table, changed, landed, stale);
    }

    private Draft createAndCommit(Draft draft, PreparedRequest request, Action.UpdateTable action, Creator creator) {
        int formatVersion = action.updates().stream()
                .filter(MetadataUpdate.UpgradeFormatVersion.class::isInstance)
                .mapToInt(update -> ((MetadataUpdate.UpgradeFormatVersion) update).formatVersion())
                .findFirst()
                .orElse(2);
        checkFormat(formatVersion);
        TableMetadata.Builder builder = TableMetadata.buildFromEmpty(formatVersion);
        action.updates().stream()
                .filter(update -> !isAboutSnapshots(update))
                .forEach(update -> apply(action.name(), update, builder));
        TableMetadata empty = build(action.name(), builder);
        Draft created = creator.create(draft, action.name(), empty, action.besides());
        List<MetadataUpdate> rest =
                action.updates().stream().filter(TableCommits::isAboutSnapshots).toList();
        return rest.isEmpty()
                ? created
                : update(
                        created,
                        request,
                        new Action.UpdateTable(action.name(), List.of(), rest, action.besides()),
                        creator);
    }

    private static boolean isAboutSnapshots(MetadataUpdate update) {
        return update instanceof MetadataUpdate.AddSnapshot || update instanceof MetadataUpdate.SetSnapshotRef;
    }

    /** A retry of what is already there is answered as the first time, whatever else has happened since. */
    private static boolean alreadyApplied(TableMetadata base, List<MetadataUpdate> updates) {
        List<Snapshot> added = PreparedRequest.added(updates);
        return !added.isEmpty() && added.stream().allMatch(snapshot -> base.snapshot(snapshot.snapshotId()) != null);
    }

    /** The same for the creation of a table: its uuid is the client's. */
    private static boolean madeBefore(TableMetadata base, List<MetadataUpdate> updates) {
        return updates.stream()
                .anyMatch(update -> update instanceof MetadataUpdate.AssignUUID assign
                        && assign.uuid().equals(base.uuid()));
    }

    private static void checkWritable(TableEntry table, Action.UpdateTable action) {
        boolean harmless = action.updates().stream()
                .allMatch(update -> update instanceof MetadataUpdate.SetProperties
                        || update instanceof MetadataUpdate.RemoveProperties);
        if (table.isView() && !harmless) {
            throw rejected(
                    ErrorCode.WRITTEN_BY_FLOW,
                    table.name() + " is a materialized view: only its flow writes it",
                    "write to what it reads ("
                            + String.join(
                                    ", ", table.flow().orElseThrow().sources().keySet())
                            + "), or make it a table with ALTER MATERIALIZED VIEW " + table.name() + " DETACH");
        }
    }

    /** An append to a keyed table becomes another snapshot, of which an unknown field need not be true. */
    private static void checkUnderstood(TableMetadata base, Action.UpdateTable action) {
        if (base.propertyAsBoolean(KEYED, false) && action.hasUnknownSnapshots()) {
            throw rejected(
                    ErrorCode.NOT_SUPPORTED,
                    "a snapshot for keyed table " + action.name() + " has unknown fields: "
                            + action.besides().held().get("snapshots"),
                    "leave them out: the catalog may make another snapshot of it, one row per key");
        }
    }

    /** The branch a request moves, when moving it to the one snapshot it adds is all the request does. */
    private static Optional<String> soleBranch(List<MetadataUpdate> updates, IncomingSnapshot incoming) {
        if (updates.size() != 2) {
            return Optional.empty();
        }
        return updates.stream()
                .filter(MetadataUpdate.SetSnapshotRef.class::isInstance)
                .map(MetadataUpdate.SetSnapshotRef.class::cast)
                .filter(ref -> ref.snapshotId() == incoming.snapshot().snapshotId()
                        && ref.type().equals("branch"))
                .map(MetadataUpdate.SetSnapshotRef::name)
                .findFirst();
    }

    /** True where the one thing that does not hold is that the branch is where the client saw it. */
    private static boolean validate(
            TableMetadata base, List<UpdateRequirement> requirements, Optional<String> rebasable) {
        boolean stale = false;
        for (UpdateRequirement requirement : requirements) {
            try {
                requirement.validate(base);
            } catch (CommitFailedException e) {
                boolean canMove = requirement instanceof UpdateRequirement.AssertRefSnapshotID ref
                        && rebasable.filter(ref.refName()::equals).isPresent();
                if (!canMove) {
                    throw conflict(e.getMessage());
                }
                stale = true;
            } catch (ValidationException e) {
                throw rejected(ErrorCode.VALIDATION, e.getMessage(), "send requirements that apply to tables");
            }
        }
        return stale;
    }

    /** What was written on an older state of the table than the request's requirements admit. */
    private static void checkOrder(TableIdentifier name, TableMetadata base, Snapshot snapshot) {
        outOfOrder(base, snapshot).ifPresent(why -> {
            throw conflict("snapshot " + snapshot.snapshotId() + " of table " + name + " has " + why);
        });
    }

    /**
     * The branch is where the client left it, but the client does not know that its snapshot was put on others. Where
     * there are sequence numbers they tell; on format version 1 the manifests do, which the client would leave out.
     */
    private boolean isBehind(TableMetadata base, String branch, IncomingSnapshot incoming) {
        if (base.formatVersion() >= 2) {
            boolean aware = base.formatVersion() < 3 || incoming.snapshot().firstRowId() != null;
            return aware && outOfOrder(base, incoming.snapshot()).isPresent();
        }
        SnapshotRef ref = base.ref(branch);
        if (ref == null || !AppendRebase.isRebased(base.snapshot(ref.snapshotId()))) {
            return false;
        }
        Set<String> kept = incoming.manifests().stream().map(ManifestFile::path).collect(Collectors.toSet());
        return base.snapshot(ref.snapshotId()).allManifests(new WholeFiles(io)).stream()
                .anyMatch(manifest -> !kept.contains(manifest.path()));
    }

    private static Optional<String> outOfOrder(TableMetadata base, Snapshot snapshot) {
        if (base.formatVersion() >= 2
                && snapshot.sequenceNumber() <= base.lastSequenceNumber()
                && snapshot.parentId() != null) {
            return Optional.of(
                    "sequence number " + snapshot.sequenceNumber() + ", the table is at " + base.lastSequenceNumber());
        }
        if (base.formatVersion() >= 3 && (snapshot.firstRowId() == null || snapshot.firstRowId() < base.nextRowId())) {
            return Optional.of("first row id " + snapshot.firstRowId() + ", the table's next is " + base.nextRowId());
        }
        return Optional.empty();
    }

    private static void checkFiles(
            TableIdentifier name, TableMetadata base, List<MetadataUpdate> updates, IncomingSnapshot incoming) {
        List<String> allowed = Locations.allowed(base, updates);
        List<String> named = new ArrayList<>();
        named.add(incoming.snapshot().manifestListLocation());
        incoming.ownManifests().forEach(manifest -> named.add(manifest.path()));
        incoming.addedData().forEach(file -> named.add(file.location()));
        incoming.addedDeletes().forEach(file -> named.add(file.location()));
        for (String file : named) {
            if (!Locations.isUnderAny(file, allowed)) {
                throw rejected(
                        ErrorCode.BAD_FILE,
                        "file " + file + " is not under the location of table " + name + ", " + base.location(),
                        "write files under the table's location, or name theirs in the table property "
                                + Locations.EXTRA_LOCATIONS);
            }
        }
    }

    private static void apply(TableIdentifier name, MetadataUpdate update, TableMetadata.Builder builder) {
        if (update instanceof MetadataUpdate.UpgradeFormatVersion upgrade) {
            checkFormat(upgrade.formatVersion());
        }
        try {
            update.applyTo(builder);
        } catch (ValidationException | IllegalArgumentException | UnsupportedOperationException e) {
            throw rejected(
                    ErrorCode.VALIDATION,
                    "table " + name + " can not take the update "
                            + update.getClass().getSimpleName() + ": " + e.getMessage(),
                    "load the table again and make the change on what it is now");
        }
    }

    private static TableMetadata build(TableIdentifier name, TableMetadata.Builder builder) {
        try {
            return builder.build();
        } catch (ValidationException | IllegalArgumentException | NullPointerException e) {
            throw rejected(
                    ErrorCode.VALIDATION,
                    "the updates do not make a table of " + name + ": " + e.getMessage(),
                    "send the schema, the partition spec, the sort order and the location of a new table");
        }
    }

    static void checkFormat(int formatVersion) {
        if (formatVersion < 1 || formatVersion > NEWEST_FORMAT) {
            throw rejected(
                    ErrorCode.NOT_SUPPORTED,
                    "format version " + formatVersion + " is not supported yet",
                    "use format version 1, 2 or 3");
        }
    }

    private static void checkChanged(Draft draft, TableEntry table, TableMetadata base, TableMetadata changed) {
        if (!changed.uuid().equals(base.uuid())) {
            throw rejected(
                    ErrorCode.VALIDATION, "the uuid of table " + table.name() + " can not change", "leave it as it is");
        }
        if (!changed.location().equals(base.location()) && !changed.propertyAsBoolean(Locations.ALLOW_OVERLAP, false)) {
            draft.state()
                    .tableOverlapping(changed.location(), id -> !id.equals(table.id()))
                    .ifPresent(other -> {
                        throw rejected(
                                ErrorCode.LOCATION_TAKEN,
                                "location " + changed.location() + " overlaps that of " + other.name(),
                                "choose a location of the table's own");
                    });
        }
    }

    /** An append to a keyed table: takes away the older rows of its keys in the same snapshot. */
    private TableMetadata upsert(TableEntry table, TableMetadata base, IncomingSnapshot incoming) {
        checkFiles(table.name(), base, List.of(), incoming);
        Derivation.Superseded old = engine.get().supersede(table, base, incoming.addedData());
        return DraftOperations.addSnapshot(base, incoming.snapshot().snapshotId(), io, delta -> {
            incoming.addedData().stream()
                    .filter(file -> !old.dropped().contains(file.location()))
                    .forEach(delta::addRows);
            old.deletes().forEach(delta::addDeletes);
            old.replaced().forEach(delta::removeDeletes);
            incoming.snapshot().summary().forEach((key, value) -> {
                if (!isCounted(key)) {
                    delta.set(key, value);
                }
            });
        });
    }

    /** What Iceberg works out itself for the snapshot that is made: not to be taken over from the client's. */
    private static boolean isCounted(String summaryKey) {
        return summaryKey.equals("operation")
                || summaryKey.equals("changed-partition-count")
                || EnvironmentContext.get().containsKey(summaryKey)
                || Stream.of("total-", "added-", "deleted-", "removed-", "manifests-", "entries-")
                        .anyMatch(summaryKey::startsWith);
    }

    /** The table's next metadata becomes part of the draft, with the lineage of the rows it brings. */
    private Draft landed(
            Draft draft,
            PreparedRequest request,
            TableEntry table,
            TableMetadata changed,
            List<IncomingSnapshot> landed,
            boolean rebased) {
        LineageFacts facts = new LineageFacts(draft.state(), table.lineage());
        Draft next = draft;
        for (IncomingSnapshot incoming : landed) {
            Snapshot snapshot = changed.snapshot(incoming.snapshot().snapshotId());
            Optional<Long> firstRowId = facts.take(changed.formatVersion(), snapshot, incoming.addedData());
            next = next.record(new CommitRecord(
                    draft.state().version().number(),
                    draft.state().committedAt(),
                    table.name(),
                    snapshot.operation(),
                    Optional.of(snapshot.snapshotId()),
                    Optional.of(snapshot.sequenceNumber()),
                    firstRowId,
                    incoming.addedRows(),
                    incoming.deletedRows(),
                    request.request().caller().author(),
                    request.request().caller().engine(),
                    rebased,
                    Duration.between(request.receivedAt(), now).toMillis()));
        }
        if (landed.isEmpty()) {
            next = next.record(new CommitRecord(
                    draft.state().version().number(),
                    draft.state().committedAt(),
                    table.name(),
                    "metadata",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    0,
                    0,
                    request.request().caller().author(),
                    request.request().caller().engine(),
                    false,
                    Duration.between(request.receivedAt(), now).toMillis()));
        }
        return next.move(
                table.id(), TableMetadata.buildFrom(changed).discardChanges().build(), facts.facts());
    }

    /** A view takes the step its flow derived. */
    Draft moveView(Draft draft, TableEntry view, ViewMove move, StagedFiles.Batch batch, Instant startedAt) {
        TableMetadata base = withSchema(metadata(draft, view), move);
        Draft next = draft;
        if (move.schema().isPresent()) {
            next = next.move(view.id(), base, new LineageFacts(draft.state(), view.lineage()).facts());
        }
        if (move.movesRows()) {
            long snapshotId = move.snapshotId();
            TableMetadata changed = ViewSnapshots.add(base, move, batch, batch::make);
            Snapshot snapshot = changed.snapshot(snapshotId);
            LineageFacts facts = new LineageFacts(draft.state(), view.lineage());
            facts.derived(changed.formatVersion(), snapshot, move.rowIdsUsed(), move.adopted());
            next = next.move(view.id(), changed, facts.facts())
                    .record(new CommitRecord(
                            draft.state().version().number(),
                            draft.state().committedAt(),
                            view.name(),
                            snapshot.operation(),
                            Optional.of(snapshotId),
                            Optional.of(snapshot.sequenceNumber()),
                            Optional.empty(),
                            move.added().stream()
                                    .mapToLong(DataFile::recordCount)
                                    .sum(),
                            move.removed().stream()
                                    .mapToLong(DataFile::recordCount)
                                    .sum(),
                            Caller.WEIR.author(),
                            Caller.WEIR.engine(),
                            false,
                            Duration.between(startedAt, now).toMillis()));
        }
        return next.plus(new Change.FlowMoved(view.id(), move.frontier(), move.broken(), move.measured()));
    }

    private static TableMetadata withSchema(TableMetadata view, ViewMove move) {
        return move.schema()
                .map(schema -> TableMetadata.buildFrom(view)
                        .setCurrentSchema(schema, Math.max(view.lastColumnId(), schema.highestFieldId()))
                        .discardChanges()
                        .build())
                .orElse(view);
    }

    /** The rows of a table that comes with a history of its own count as created when it was registered. */
    Draft adopt(Draft draft, String id, TableMetadata metadata) {
        LineageFacts facts = new LineageFacts(draft.state(), Lineage.EMPTY);
        facts.adopt(metadata, io);
        return draft.move(id, metadata, facts.facts());
    }
}
