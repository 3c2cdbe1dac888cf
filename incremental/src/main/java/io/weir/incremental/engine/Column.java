package io.weir.incremental.engine;

import java.util.function.IntSupplier;
import org.apache.iceberg.types.Type;

/** A column of a result: its name and its type as the engine writes it. */
public record Column(String name, String type) {
    /** The Iceberg type it is stored as; nested fields take their ids from {@code ids}. */
    public Type icebergType(IntSupplier ids) {
        return DuckTypes.toIceberg(type, ids);
    }
}
