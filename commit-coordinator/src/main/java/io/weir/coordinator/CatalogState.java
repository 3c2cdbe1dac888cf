package io.weir.coordinator;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * The whole lake at one version, as a value: immutable, safe to share, cheap to keep. {@link #apply} is the only way to
 * the next one, and is pure: the same entries give the same state on every server.
 *
 * @param epoch of the leader that wrote the last entry
 * @param tablesById tables and materialized views; {@code idsByName} finds them
 * @param followersById for each table's id, the ids of the views that read it; no table without any is kept
 * @param dropped in the order of dropping
 * @param commits what {@code weir.commits} shows, oldest first
 * @param logicalViews views of the Iceberg view specification
 * @param answered what requests that come again are answered
 * @param leaders every server that ever led the lake, first to last
 * @param index of all that, for looking things up
 */
public record CatalogState(
        Version version,
        long epoch,
        Instant committedAt,
        PMap<Namespace, Map<String, String>> namespaces,
        PMap<String, TableEntry> tablesById,
        PMap<TableIdentifier, String> idsByName,
        PMap<String, PSet<String>> followersById,
        PVector<DroppedTable> dropped,
        PVector<CommitRecord> commits,
        PMap<TableIdentifier, LogicalView> logicalViews,
        AnsweredRequests answered,
        PVector<Leadership> leaders,
        StateIndex index) {

    public static final Namespace DEFAULT_NAMESPACE = Namespace.of("default");

    public static final CatalogState EMPTY = new CatalogState(
            Version.EMPTY,
            0,
            Instant.EPOCH,
            HashTreePMap.singleton(DEFAULT_NAMESPACE, Map.of()),
            HashTreePMap.empty(),
            HashTreePMap.empty(),
            HashTreePMap.empty(),
            TreePVector.empty(),
            TreePVector.empty(),
            HashTreePMap.empty(),
            AnsweredRequests.NONE,
            TreePVector.empty(),
            StateIndex.EMPTY.withNamespace(DEFAULT_NAMESPACE));

    public Optional<TableEntry> table(TableIdentifier name) {
        return Optional.ofNullable(idsByName.get(name)).map(tablesById::get);
    }

    public Optional<TableEntry> tableById(String id) {
        return Optional.ofNullable(tablesById.get(id));
    }

    public boolean hasNamespace(Namespace namespace) {
        return namespaces.containsKey(namespace);
    }

    /** Direct children, sorted. The empty namespace is the root. */
    public List<Namespace> children(Namespace parent) {
        return childNames(parent).stream().map(name -> child(parent, name)).toList();
    }

    /** The last levels of the direct children. The same object in every state in which they are the same. */
    public NavigableSet<String> childNames(Namespace parent) {
        return index.namespaces().in(parent);
    }

    /** The namespace of that name in another. */
    public static Namespace child(Namespace parent, String name) {
        String[] levels = Arrays.copyOf(parent.levels(), parent.length() + 1);
        levels[parent.length()] = name;
        return Namespace.of(levels);
    }

    /** Tables and materialized views directly in the namespace, sorted by name. */
    public List<TableEntry> tables(Namespace namespace) {
        return tableNames(namespace).stream()
                .map(name -> tablesById.get(idsByName.get(TableIdentifier.of(namespace, name))))
                .toList();
    }

    /** Their names. The same object in every state in which they are the same, but for namespaces without any. */
    public NavigableSet<String> tableNames(Namespace namespace) {
        return index.tableNames().in(namespace);
    }

    /**
     * A table whose location overlaps this one.
     *
     * @param minded whether a table's id counts
     */
    Optional<TableEntry> tableOverlapping(String location, Predicate<String> minded) {
        return index.tables().overlapping(location, minded).map(tablesById::get);
    }

    /**
     * Whether nothing else has files at the location, in it or around it: no other table, no view, no dropped table that is
     * kept.
     *
     * @param id of the table whose location it is; one that the state does not have, for a table that is to be made
     */
    public boolean isOnlyOf(String location, String id) {
        return tableOverlapping(location, other -> !other.equals(id)).isEmpty()
                && logicalViewOverlapping(location).isEmpty()
                && droppedOverlapping(location).isEmpty();
    }

    Optional<LogicalView> logicalViewOverlapping(String location) {
        return index.logicalViews()
                .overlapping(location, _ -> true)
                .flatMap(id -> logicalViews.values().stream()
                        .filter(view -> view.id().equals(id))
                        .findFirst());
    }

    Optional<TableEntry> droppedOverlapping(String location) {
        return index.dropped()
                .overlapping(location, _ -> true)
                .flatMap(id -> dropped.stream()
                        .map(DroppedTable::table)
                        .filter(table -> table.id().equals(id))
                        .findFirst());
    }

    public Optional<LogicalView> logicalView(TableIdentifier name) {
        return Optional.ofNullable(logicalViews.get(name));
    }

    /** Logical views directly in the namespace, sorted by name. */
    public List<LogicalView> logicalViews(Namespace namespace) {
        return viewNames(namespace).stream()
                .map(name -> logicalViews.get(TableIdentifier.of(namespace, name)))
                .toList();
    }

    /** Their names. */
    public NavigableSet<String> viewNames(Namespace namespace) {
        return index.viewNames().in(namespace);
    }

    /** The views that read the table. */
    public Stream<TableEntry> followers(String tableId) {
        return tablesById.values().stream()
                .filter(table ->
                        table.flow().filter(flow -> flow.reads(tableId)).isPresent());
    }

    /** The state after {@code entry}, which must be the next one. */
    public CatalogState apply(LogEntry entry) {
        return StateTransition.apply(this, entry);
    }

    CatalogState at(Version newVersion, long newEpoch, Instant newCommittedAt) {
        return with(next -> {
            next.version = newVersion;
            next.epoch = newEpoch;
            next.committedAt = newCommittedAt;
        });
    }

    CatalogState withNamespace(Namespace namespace, Map<String, String> properties) {
        return with(next -> {
            next.namespaces = namespaces.plus(namespace, properties);
            next.index = index.withNamespace(namespace);
        });
    }

    CatalogState withoutNamespace(Namespace namespace) {
        return with(next -> {
            next.namespaces = namespaces.minus(namespace);
            next.index = index.withoutNamespace(namespace);
        });
    }

    CatalogState withDropped(DroppedTable table) {
        return with(next -> {
            next.dropped = dropped.plus(table);
            next.index = index.withDropped(table.table());
        });
    }

    CatalogState withoutDropped(DroppedTable table) {
        return with(next -> {
            next.dropped = dropped.minus(table);
            next.index = index.withoutDropped(table.table());
        });
    }

    CatalogState withCommits(PVector<CommitRecord> newCommits) {
        return with(next -> next.commits = newCommits);
    }

    CatalogState withLogicalView(LogicalView view) {
        CatalogState without = withoutLogicalView(view.name());
        return without.with(next -> {
            next.logicalViews = without.logicalViews.plus(view.name(), view);
            next.index = without.index.withLogicalView(view);
        });
    }

    /** As it is where there is none of that name. */
    CatalogState withoutLogicalView(TableIdentifier name) {
        LogicalView view = logicalViews.get(name);
        return view == null
                ? this
                : with(next -> {
                    next.logicalViews = logicalViews.minus(name);
                    next.index = index.withoutLogicalView(view);
                });
    }

    CatalogState withAnswered(AnsweredRequests newAnswered) {
        return with(next -> next.answered = newAnswered);
    }

    CatalogState withLeader(Leadership leader) {
        return with(next -> next.leaders = leaders.plus(leader));
    }

    CatalogState withTable(TableEntry table) {
        TableEntry before = tablesById.get(table.id());
        CatalogState without = before == null ? this : withoutTable(table.id());
        return without.with(next -> {
            for (String source : sources(table)) {
                next.followersById = next.followersById.plus(
                        source,
                        next.followersById
                                .getOrDefault(source, HashTreePSet.empty())
                                .plus(table.id()));
            }
            next.tablesById = without.tablesById.plus(table.id(), table);
            next.idsByName = without.idsByName.plus(table.name(), table.id());
            next.index = index.withTable(before, table);
        });
    }

    CatalogState withoutTable(String id) {
        TableEntry table = tablesById.get(id);
        return with(next -> {
            for (String source : sources(table)) {
                PSet<String> left = next.followersById.get(source).minus(id);
                next.followersById =
                        left.isEmpty() ? next.followersById.minus(source) : next.followersById.plus(source, left);
            }
            next.tablesById = tablesById.minus(id);
            next.idsByName = idsByName.minus(table.name());
            next.index = index.withoutTable(table);
        });
    }

    /** This state with something else in it. */
    private CatalogState with(Consumer<Next> change) {
        Next next = new Next(this);
        change.accept(next);
        return new CatalogState(
                next.version,
                next.epoch,
                next.committedAt,
                next.namespaces,
                next.tablesById,
                next.idsByName,
                next.followersById,
                next.dropped,
                next.commits,
                next.logicalViews,
                next.answered,
                next.leaders,
                next.index);
    }

    /** A state that is being made from another. */
    private static final class Next {
        private Version version;
        private long epoch;
        private Instant committedAt;
        private PMap<Namespace, Map<String, String>> namespaces;
        private PMap<String, TableEntry> tablesById;
        private PMap<TableIdentifier, String> idsByName;
        private PMap<String, PSet<String>> followersById;
        private PVector<DroppedTable> dropped;
        private PVector<CommitRecord> commits;
        private PMap<TableIdentifier, LogicalView> logicalViews;
        private AnsweredRequests answered;
        private PVector<Leadership> leaders;
        private StateIndex index;

        Next(CatalogState state) {
            this.version = state.version;
            this.epoch = state.epoch;
            this.committedAt = state.committedAt;
            this.namespaces = state.namespaces;
            this.tablesById = state.tablesById;
            this.idsByName = state.idsByName;
            this.followersById = state.followersById;
            this.dropped = state.dropped;
            this.commits = state.commits;
            this.logicalViews = state.logicalViews;
            this.answered = state.answered;
            this.leaders = state.leaders;
            this.index = state.index;
        }
    }

    static Collection<String> sources(TableEntry table) {
        return table.flow().map(flow -> Set.copyOf(flow.sources().values())).orElse(Set.of());
    }
}
