package io.weir.service.statement;

import io.weir.coordinator.CatalogState;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.engine.TableName;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * From names as written to names of the lake: exactly as written first, then without regard to case, as SQL has it. No
 * schema means {@code default}. The levels of a nested schema are joined by dots, quoted together or not.
 */
final class Names {
    static final String SYSTEM = "weir";

    private final CatalogState state;

    Names(CatalogState state) {
        this.state = state;
    }

    static String schema(Namespace namespace) {
        return String.join(".", namespace.levels());
    }

    static TableName tableName(TableIdentifier name) {
        return new TableName(schema(name.namespace()), name.name());
    }

    /** The namespace, if there is one of that name. */
    Optional<Namespace> namespace(List<String> levels) {
        if (levels.isEmpty()) {
            return Optional.of(CatalogState.DEFAULT_NAMESPACE);
        }
        Namespace exact = Namespace.of(levels.toArray(String[]::new));
        if (state.hasNamespace(exact)) {
            return Optional.of(exact);
        }
        String joined = String.join(".", levels);
        return state.namespaces().keySet().stream()
                .filter(namespace -> schema(namespace).equalsIgnoreCase(joined))
                .min(Comparator.comparingInt(namespace -> schema(namespace).equals(joined) ? 0 : 1));
    }

    Namespace existingNamespace(List<String> levels) {
        return namespace(levels)
                .orElseThrow(() -> new SqlException(
                        "3F000",
                        "schema " + String.join(".", levels) + " does not exist",
                        "SHOW SCHEMAS lists those there are; CREATE SCHEMA makes one."));
    }

    Optional<TableEntry> table(QualifiedName name) {
        return namespace(name.schema()).flatMap(namespace -> {
            Optional<TableEntry> exact = state.table(TableIdentifier.of(namespace, name.name()));
            return exact.isPresent()
                    ? exact
                    : state.tables(namespace).stream()
                            .filter(table -> table.name().name().equalsIgnoreCase(name.name()))
                            .findFirst();
        });
    }

    TableEntry existingTable(QualifiedName name) {
        return table(name)
                .orElseThrow(() -> new SqlException(
                        "42P01", "table " + name + " does not exist", "SHOW TABLES lists those there are."));
    }

    /** The name of a table that is to be made; its schema exists. */
    TableIdentifier newTable(QualifiedName name) {
        refuseSystem(name.schema());
        return TableIdentifier.of(existingNamespace(name.schema()), name.name());
    }

    static void refuseSystem(List<String> schema) {
        if (!schema.isEmpty() && schema.getFirst().equalsIgnoreCase(SYSTEM)) {
            throw new SqlException(
                    "42501", "schema weir is the catalog's own and read-only", "Use a schema of your own.");
        }
    }
}
