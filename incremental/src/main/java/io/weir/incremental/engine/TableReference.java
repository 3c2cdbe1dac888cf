package io.weir.incremental.engine;

import java.util.Optional;

/**
 * A table that a checked statement reads, and the name the statement's printed text gives it: expose it as
 * {@code exposedTable} in schema {@code exposedSchema}. One table read at two points in time is two references.
 */
public record TableReference(TableName name, Optional<At> at, String exposedSchema, String exposedTable) {

    /** The point in time of {@code AT (VERSION => …)} or {@code AT (TIMESTAMP => …)}; the value as it was written. */
    public record At(Unit unit, String value) {
        public enum Unit {
            VERSION,
            TIMESTAMP
        }
    }
}
