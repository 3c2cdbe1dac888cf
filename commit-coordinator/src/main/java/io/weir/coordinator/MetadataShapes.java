package io.weir.coordinator;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The fields of table and view metadata that this version of Iceberg reads and writes. */
final class MetadataShapes {
    private static final MetadataShape.Fields TYPE = fields(
            Set.of(
                    "type",
                    "schema-id",
                    "identifier-field-ids",
                    "element-id",
                    "element-required",
                    "key-id",
                    "value-id",
                    "value-required"),
            Map.of(
                    "fields",
                    () -> new MetadataShape.Named("id", MetadataShapes::field),
                    "element",
                    MetadataShapes::type,
                    "key",
                    MetadataShapes::type,
                    "value",
                    MetadataShapes::type));

    private static final MetadataShape.Fields FIELD = fields(
            Set.of("id", "name", "required", "doc", "initial-default", "write-default"),
            Map.of("type", MetadataShapes::type));

    static final MetadataShape.Fields SPEC = fields(
            Set.of("spec-id"),
            Map.of("fields", placed(fields(Set.of("source-id", "field-id", "name", "transform"), Map.of()))));

    static final MetadataShape.Fields SORT_ORDER = fields(
            Set.of("order-id"),
            Map.of("fields", placed(fields(Set.of("source-id", "direction", "null-order", "transform"), Map.of()))));

    static final MetadataShape.Fields SNAPSHOT = fields(
            Set.of(
                    "sequence-number",
                    "snapshot-id",
                    "parent-snapshot-id",
                    "timestamp-ms",
                    "summary",
                    "manifests",
                    "manifest-list",
                    "schema-id",
                    "first-row-id",
                    "added-rows",
                    "key-id"),
            Map.of());

    private static final MetadataShape.Fields REF = fields(
            Set.of("snapshot-id", "type", "min-snapshots-to-keep", "max-snapshot-age-ms", "max-ref-age-ms"), Map.of());

    static final MetadataShape.Fields STATISTICS = fields(
            Set.of("snapshot-id", "statistics-path", "file-size-in-bytes", "file-footer-size-in-bytes"),
            Map.of(
                    "blob-metadata",
                    placed(fields(
                            Set.of("type", "snapshot-id", "sequence-number", "fields", "properties"), Map.of()))));

    static final MetadataShape.Fields PARTITION_STATISTICS =
            fields(Set.of("snapshot-id", "statistics-path", "file-size-in-bytes"), Map.of());

    static final MetadataShape.Fields ENCRYPTION_KEY =
            fields(Set.of("key-id", "encrypted-key-metadata", "encrypted-by-id", "properties"), Map.of());

    static final MetadataShape.Fields TABLE = fields(
            Set.of(
                    "format-version",
                    "table-uuid",
                    "location",
                    "last-sequence-number",
                    "last-updated-ms",
                    "last-column-id",
                    "schema",
                    "current-schema-id",
                    "partition-spec",
                    "default-spec-id",
                    "last-partition-id",
                    "default-sort-order-id",
                    "properties",
                    "current-snapshot-id",
                    "snapshot-log",
                    "metadata-log",
                    "next-row-id"),
            Map.of(
                    "schemas", named("schema-id", TYPE),
                    "partition-specs", named("spec-id", SPEC),
                    "sort-orders", named("order-id", SORT_ORDER),
                    "snapshots", named("snapshot-id", SNAPSHOT),
                    "refs", () -> new MetadataShape.Mapped(() -> REF),
                    "statistics", named("statistics-path", STATISTICS),
                    "partition-statistics", named("statistics-path", PARTITION_STATISTICS),
                    "encryption-keys", named("key-id", ENCRYPTION_KEY)));

    static final MetadataShape.Fields VIEW_VERSION = fields(
            Set.of("version-id", "timestamp-ms", "summary", "schema-id", "default-catalog", "default-namespace"),
            Map.of("representations", placed(fields(Set.of("type", "sql", "dialect"), Map.of()))));

    static final MetadataShape.Fields VIEW = fields(
            Set.of("view-uuid", "format-version", "location", "properties", "current-version-id", "version-log"),
            Map.of("schemas", named("schema-id", TYPE), "versions", named("version-id", VIEW_VERSION)));

    private MetadataShapes() {}

    /** A schema, or a nested type. */
    static MetadataShape type() {
        return TYPE;
    }

    private static MetadataShape field() {
        return FIELD;
    }

    private static MetadataShape.Fields fields(Set<String> known, Map<String, Supplier<MetadataShape>> parts) {
        return new MetadataShape.Fields(known, parts);
    }

    private static Supplier<MetadataShape> named(String name, MetadataShape element) {
        return () -> new MetadataShape.Named(name, () -> element);
    }

    private static Supplier<MetadataShape> placed(MetadataShape element) {
        return () -> new MetadataShape.Placed(() -> element);
    }
}
