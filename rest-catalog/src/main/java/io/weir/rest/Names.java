package io.weir.rest;

import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** Which names the catalog takes: anything a path can hold. Case is kept; nothing is trimmed or folded. */
final class Names {
    private static final char SEPARATOR = '\u001f';

    private Names() {}

    static Namespace require(Namespace namespace) {
        if (namespace == null || namespace.isEmpty()) {
            throw HttpProblem.badRequest("Invalid namespace: it has no levels");
        }
        for (String level : namespace.levels()) {
            if (level.isEmpty()) {
                throw HttpProblem.badRequest("Invalid namespace %s: a level is empty", namespace);
            }
            if (level.indexOf(SEPARATOR) >= 0) {
                throw HttpProblem.badRequest(
                        "Invalid namespace: a level holds the unit separator (0x1F), which separates levels in paths");
            }
        }
        return namespace;
    }

    static TableIdentifier table(Namespace namespace, String name) {
        if (name == null || name.isEmpty()) {
            throw HttpProblem.badRequest("Invalid table name in namespace %s: it is empty", namespace);
        }
        return TableIdentifier.of(require(namespace), name);
    }

    static TableIdentifier require(TableIdentifier identifier) {
        return table(identifier.namespace(), identifier.name());
    }
}
