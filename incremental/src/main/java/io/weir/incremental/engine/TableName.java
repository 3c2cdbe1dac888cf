package io.weir.incremental.engine;

/** A table of the lake. A nested namespace is its levels joined by dots. */
public record TableName(String namespace, String table) {
    /** The namespace of names that say none. */
    public static final String DEFAULT_NAMESPACE = "default";

    @Override
    public String toString() {
        return namespace + "." + table;
    }
}
