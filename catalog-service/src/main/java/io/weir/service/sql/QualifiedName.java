package io.weir.service.sql;

import java.util.List;

/** The name of a table, view or schema as it was written, without quotes; the case is kept. */
public record QualifiedName(List<String> parts) {
    public QualifiedName {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a name has at least one part");
        }
        parts = List.copyOf(parts);
    }

    public static QualifiedName of(String... parts) {
        return new QualifiedName(List.of(parts));
    }

    public String name() {
        return parts.getLast();
    }

    /** The schema's levels; empty when none was written. */
    public List<String> schema() {
        return parts.subList(0, parts.size() - 1);
    }

    /** As SQL text, quoted throughout. */
    public String quoted() {
        return String.join(".", parts.stream().map(QualifiedName::quote).toList());
    }

    public static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    @Override
    public String toString() {
        return String.join(".", parts);
    }
}
