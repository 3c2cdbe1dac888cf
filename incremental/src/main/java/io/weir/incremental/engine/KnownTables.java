package io.weir.incremental.engine;

import java.util.Optional;
import org.apache.iceberg.Schema;

/** Which tables a statement may read, asked by the name it was written with. */
@FunctionalInterface
public interface KnownTables {
    Optional<KnownTable> find(TableName written);

    /** A table there is: its name as the lake has it, and its columns. */
    record KnownTable(TableName name, Schema schema) {}
}
