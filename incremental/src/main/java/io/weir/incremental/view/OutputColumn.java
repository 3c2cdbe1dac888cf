package io.weir.incremental.view;

import org.apache.iceberg.types.Type;

/** A column of a view: its name, the type it is stored as, and that type as the engine spells it. */
public record OutputColumn(String name, Type type, String duckType) {}
