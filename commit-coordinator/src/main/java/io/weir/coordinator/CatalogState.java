package io.weir.coordinator;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * The whole lake at one version, as a value: immutable, safe to share, cheap to keep. {@link #apply} is the only way to
 * the next one, and is pure: the same entries give the same state on every server.
 *
 * @param epoch of the leader that wrote the last entry
 * @param tablesById tables and materialized views; {@code idsByName} finds them
 * @param dropped in the order of dropping
 * @param commits what {@code weir.commits} shows, oldest first
 */
public record CatalogState(
        Version version,
        long epoch,
        Instant committedAt,
        PMap<Namespace, Map<String, String>> namespaces,
        PMap<String, TableEntry> tablesById,
        PMap<TableIdentifier, String> idsByName,
        PVector<DroppedTable> dropped,
        PVector<CommitRecord> commits) {

    public static final Namespace DEFAULT_NAMESPACE = Namespace.of("default");

    public static final CatalogState EMPTY = new CatalogState(
            Version.EMPTY,
            0,
            Instant.EPOCH,
            HashTreePMap.singleton(DEFAULT_NAMESPACE, Map.of()),
            HashTreePMap.empty(),
            HashTreePMap.empty(),
            TreePVector.empty(),
            TreePVector.empty());

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
        return tablesById.values().stream()
                .filter(table -> table.name().namespace().equals(namespace))
                .sorted(Comparator.comparing(table -> table.name().name()))
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
}
