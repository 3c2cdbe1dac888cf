package io.weir.coordinator;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PSortedSet;
import org.pcollections.TreePSet;

/**
 * Sorted names by the namespace they are in. A namespace without any is not kept; the names of one are the same object
 * until a name comes or goes there.
 */
record NameIndex(PMap<Namespace, PSortedSet<String>> byNamespace) {
    static final NameIndex EMPTY = new NameIndex(HashTreePMap.empty());

    /** All of them at once. */
    static NameIndex of(Collection<TableIdentifier> names) {
        Map<Namespace, TreeSet<String>> sorted = new HashMap<>();
        names.forEach(name ->
                sorted.computeIfAbsent(name.namespace(), _ -> new TreeSet<>()).add(name.name()));
        Map<Namespace, PSortedSet<String>> byNamespace = new HashMap<>();
        sorted.forEach((namespace, those) -> byNamespace.put(namespace, TreePSet.fromSortedSet(those)));
        return new NameIndex(HashTreePMap.from(byNamespace));
    }

    PSortedSet<String> in(Namespace namespace) {
        return byNamespace.getOrDefault(namespace, TreePSet.empty());
    }

    NameIndex plus(TableIdentifier name) {
        return plus(name.namespace(), name.name());
    }

    NameIndex plus(Namespace namespace, String name) {
        PSortedSet<String> before = in(namespace);
        return before.contains(name) ? this : new NameIndex(byNamespace.plus(namespace, before.plus(name)));
    }

    NameIndex minus(TableIdentifier name) {
        return minus(name.namespace(), name.name());
    }

    NameIndex minus(Namespace namespace, String name) {
        PSortedSet<String> left = in(namespace).minus(name);
        return new NameIndex(left.isEmpty() ? byNamespace.minus(namespace) : byNamespace.plus(namespace, left));
    }
}
