package io.weir.coordinator;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
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
 * @param followersById for each table's id, the ids of the views that read it
 * @param dropped in the order of dropping
 * @param commits what {@code weir.commits} shows, oldest first
 * @param logicalViews views of the Iceberg view specification
 * @param answered what requests that come again are answered
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
            StateIndex.EMPTY);

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
        return namespaces.keySet().stream()
                .filter(n -> n.length() == parent.length() + 1
                        && List.of(n.levels()).subList(0, parent.length()).equals(List.of(parent.levels())))
                .sorted(Comparator.comparing(Namespace::toString))
                .toList();
    }

    /** Tables and materialized views directly in the namespace, sorted by name. */
    public List<TableEntry> tables(Namespace namespace) {
        return tableNames(namespace).stream()
                .map(name -> tablesById.get(idsByName.get(TableIdentifier.of(namespace, name))))
                .toList();
    }

    /** Their names. The same object in every state in which they are the same, but for namespaces without any. */
    public NavigableSet<String> tableNames(Namespace namespace) {
        return index.tableNames(namespace);
    }

    /**
     * A table whose location overlaps this one.
     *
     * @param minded whether a table's id counts
     */
    Optional<TableEntry> tableOverlapping(String location, Predicate<String> minded) {
        return index.tables().overlapping(location, minded).map(tablesById::get);
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
        return logicalViews.values().stream()
                .filter(view -> view.name().namespace().equals(namespace))
                .sorted(Comparator.comparing(view -> view.name().name()))
                .toList();
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
        return new CatalogState(
                newVersion,
                newEpoch,
                newCommittedAt,
                namespaces,
                tablesById,
                idsByName,
                followersById,
                dropped,
                commits,
                logicalViews,
                answered,
                index);
    }

    CatalogState withNamespaces(PMap<Namespace, Map<String, String>> newNamespaces) {
        return new CatalogState(
                version,
                epoch,
                committedAt,
                newNamespaces,
                tablesById,
                idsByName,
                followersById,
                dropped,
                commits,
                logicalViews,
                answered,
                index);
    }

    CatalogState withDropped(DroppedTable table) {
        return withDropped(dropped.plus(table), index.withDropped(table.table()));
    }

    CatalogState withoutDropped(DroppedTable table) {
        return withDropped(dropped.minus(table), index.withoutDropped(table.table()));
    }

    private CatalogState withDropped(PVector<DroppedTable> newDropped, StateIndex newIndex) {
        return new CatalogState(
                version,
                epoch,
                committedAt,
                namespaces,
                tablesById,
                idsByName,
                followersById,
                newDropped,
                commits,
                logicalViews,
                answered,
                newIndex);
    }

    CatalogState withCommits(PVector<CommitRecord> newCommits) {
        return new CatalogState(
                version,
                epoch,
                committedAt,
                namespaces,
                tablesById,
                idsByName,
                followersById,
                dropped,
                newCommits,
                logicalViews,
                answered,
                index);
    }

    CatalogState withLogicalView(LogicalView view) {
        CatalogState without = withoutLogicalView(view.name());
        return without.withLogicalViews(
                without.logicalViews.plus(view.name(), view), without.index.withLogicalView(view));
    }

    /** As it is where there is none of that name. */
    CatalogState withoutLogicalView(TableIdentifier name) {
        LogicalView view = logicalViews.get(name);
        return view == null ? this : withLogicalViews(logicalViews.minus(name), index.withoutLogicalView(view));
    }

    private CatalogState withLogicalViews(PMap<TableIdentifier, LogicalView> newViews, StateIndex newIndex) {
        return new CatalogState(
                version,
                epoch,
                committedAt,
                namespaces,
                tablesById,
                idsByName,
                followersById,
                dropped,
                commits,
                newViews,
                answered,
                newIndex);
    }

    CatalogState withAnswered(AnsweredRequests newAnswered) {
        return new CatalogState(
                version,
                epoch,
                committedAt,
                namespaces,
                tablesById,
                idsByName,
                followersById,
                dropped,
                commits,
                logicalViews,
                newAnswered,
                index);
    }

    CatalogState withTable(TableEntry table) {
        TableEntry before = tablesById.get(table.id());
        CatalogState without = before == null ? this : withoutTable(table.id());
        PMap<String, PSet<String>> followers = without.followersById;
        for (String source : sources(table)) {
            followers = followers.plus(
                    source, followers.getOrDefault(source, HashTreePSet.empty()).plus(table.id()));
        }
        return new CatalogState(
                version,
                epoch,
                committedAt,
                namespaces,
                without.tablesById.plus(table.id(), table),
                without.idsByName.plus(table.name(), table.id()),
                followers,
                dropped,
                commits,
                logicalViews,
                answered,
                index.withTable(before, table));
    }

    CatalogState withoutTable(String id) {
        TableEntry table = tablesById.get(id);
        PMap<String, PSet<String>> followers = followersById;
        for (String source : sources(table)) {
            followers = followers.plus(source, followers.get(source).minus(id));
        }
        return new CatalogState(
                version,
                epoch,
                committedAt,
                namespaces,
                tablesById.minus(id),
                idsByName.minus(table.name()),
                followers,
                dropped,
                commits,
                logicalViews,
                answered,
                index.withoutTable(table));
    }

    private static Collection<String> sources(TableEntry table) {
        return table.flow().map(flow -> Set.copyOf(flow.sources().values())).orElse(Set.of());
    }
}
