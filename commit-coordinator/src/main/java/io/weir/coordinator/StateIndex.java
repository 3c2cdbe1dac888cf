package io.weir.coordinator;

import org.apache.iceberg.catalog.Namespace;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PSortedSet;
import org.pcollections.TreePSet;

/**
 * What a {@link CatalogState} holds, in the orders it is looked for by: nothing that the state does not say itself. Each
 * part is the very same object for as long as what it is about stays the same.
 *
 * @param tableNames of tables and materialized views, sorted; a namespace without any is not kept
 * @param tables ids by location
 * @param dropped ids of dropped tables that are kept, by location
 * @param logicalViews ids by location
 */
record StateIndex(
        PMap<Namespace, PSortedSet<String>> tableNames,
        LocationIndex tables,
        LocationIndex dropped,
        LocationIndex logicalViews) {
    static final StateIndex EMPTY =
            new StateIndex(HashTreePMap.empty(), LocationIndex.EMPTY, LocationIndex.EMPTY, LocationIndex.EMPTY);

    PSortedSet<String> tableNames(Namespace namespace) {
        return tableNames.getOrDefault(namespace, TreePSet.empty());
    }

    /** @param before null for a new table */
    StateIndex withTable(TableEntry before, TableEntry table) {
        if (before != null
                && before.name().equals(table.name())
                && before.location().equals(table.location())) {
            return this;
        }
        StateIndex without = before == null ? this : withoutTable(before);
        Namespace namespace = table.name().namespace();
        PSortedSet<String> names =
                without.tableNames(namespace).plus(table.name().name());
        return new StateIndex(
                without.tableNames.plus(namespace, names),
                without.tables.plus(table.location(), table.id()),
                dropped,
                logicalViews);
    }

    StateIndex withoutTable(TableEntry table) {
        Namespace namespace = table.name().namespace();
        PSortedSet<String> left = tableNames(namespace).minus(table.name().name());
        return new StateIndex(
                left.isEmpty() ? tableNames.minus(namespace) : tableNames.plus(namespace, left),
                tables.minus(table.location(), table.id()),
                dropped,
                logicalViews);
    }

    StateIndex withDropped(TableEntry table) {
        return new StateIndex(tableNames, tables, dropped.plus(table.location(), table.id()), logicalViews);
    }

    StateIndex withoutDropped(TableEntry table) {
        return new StateIndex(tableNames, tables, dropped.minus(table.location(), table.id()), logicalViews);
    }

    StateIndex withLogicalView(LogicalView view) {
        return new StateIndex(tableNames, tables, dropped, logicalViews.plus(view.location(), view.id()));
    }

    StateIndex withoutLogicalView(LogicalView view) {
        return new StateIndex(tableNames, tables, dropped, logicalViews.minus(view.location(), view.id()));
    }
}
