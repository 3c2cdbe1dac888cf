package io.weir.coordinator;

import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * What a {@link CatalogState} holds, in the orders it is looked for by: nothing that the state does not say itself. Each
 * part is the very same object for as long as what it is about stays the same.
 *
 * @param namespaces the last levels of namespaces, by the namespace they are in
 * @param tableNames of tables and materialized views, by namespace
 * @param viewNames of logical views, by namespace
 * @param tables ids by location
 * @param dropped ids of dropped tables that are kept, by location
 * @param logicalViews ids by location
 */
record StateIndex(
        NameIndex namespaces,
        NameIndex tableNames,
        NameIndex viewNames,
        LocationIndex tables,
        LocationIndex dropped,
        LocationIndex logicalViews) {
    static final StateIndex EMPTY = new StateIndex(
            NameIndex.EMPTY,
            NameIndex.EMPTY,
            NameIndex.EMPTY,
            LocationIndex.EMPTY,
            LocationIndex.EMPTY,
            LocationIndex.EMPTY);

    StateIndex withNamespace(Namespace namespace) {
        return with(namespaces.plus(parent(namespace), last(namespace)));
    }

    StateIndex withoutNamespace(Namespace namespace) {
        return with(namespaces.minus(parent(namespace), last(namespace)));
    }

    private StateIndex with(NameIndex newNamespaces) {
        return new StateIndex(newNamespaces, tableNames, viewNames, tables, dropped, logicalViews);
    }

    /** @param before null for a new table */
    StateIndex withTable(TableEntry before, TableEntry table) {
        if (before != null
                && before.name().equals(table.name())
                && before.location().equals(table.location())) {
            return this;
        }
        StateIndex without = before == null ? this : withoutTable(before);
        return new StateIndex(
                namespaces,
                without.tableNames.plus(table.name()),
                viewNames,
                without.tables.plus(table.location(), table.id()),
                dropped,
                logicalViews);
    }

    StateIndex withoutTable(TableEntry table) {
        return new StateIndex(
                namespaces,
                tableNames.minus(table.name()),
                viewNames,
                tables.minus(table.location(), table.id()),
                dropped,
                logicalViews);
    }

    StateIndex withDropped(TableEntry table) {
        return new StateIndex(
                namespaces, tableNames, viewNames, tables, dropped.plus(table.location(), table.id()), logicalViews);
    }

    StateIndex withoutDropped(TableEntry table) {
        return new StateIndex(
                namespaces, tableNames, viewNames, tables, dropped.minus(table.location(), table.id()), logicalViews);
    }

    StateIndex withLogicalView(LogicalView view) {
        return new StateIndex(
                namespaces,
                tableNames,
                viewNames.plus(view.name()),
                tables,
                dropped,
                logicalViews.plus(view.location(), view.id()));
    }

    StateIndex withoutLogicalView(LogicalView view) {
        return new StateIndex(
                namespaces,
                tableNames,
                viewNames.minus(view.name()),
                tables,
                dropped,
                logicalViews.minus(view.location(), view.id()));
    }

    private static Namespace parent(Namespace namespace) {
        return TableIdentifier.of(namespace.levels()).namespace();
    }

    private static String last(Namespace namespace) {
        return namespace.level(namespace.length() - 1);
    }
}
