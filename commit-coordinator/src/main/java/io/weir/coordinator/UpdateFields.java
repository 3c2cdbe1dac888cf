package io.weir.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of Iceberg's metadata updates that this version of Iceberg does not know. Those of what an update adds under
 * a name of the client's are kept. Others are refused: an unknown field of the update itself changes what it means, and
 * schemas, partition specs and sort orders get new ids here, so that what a field belonged to can not be told any more.
 */
public final class UpdateFields {
    private static final Map<String, MetadataShape.Fields> UPDATES = Map.ofEntries(
            plain("assign-uuid", "uuid"),
            plain("upgrade-format-version", "format-version"),
            with("add-schema", "schema", MetadataShapes.type(), "last-column-id"),
            plain("set-current-schema", "schema-id"),
            with("add-spec", "spec", MetadataShapes.SPEC),
            plain("set-default-spec", "spec-id"),
            with("add-sort-order", "sort-order", MetadataShapes.SORT_ORDER),
            plain("set-default-sort-order", "sort-order-id"),
            with("add-snapshot", "snapshot", MetadataShapes.SNAPSHOT),
            plain("remove-snapshots", "snapshot-ids"),
            plain("remove-snapshot-ref", "ref-name"),
            plain(
                    "set-snapshot-ref",
                    "ref-name",
                    "type",
                    "snapshot-id",
                    "max-ref-age-ms",
                    "max-snapshot-age-ms",
                    "min-snapshots-to-keep"),
            plain("set-properties", "updates", "updated"),
            plain("remove-properties", "removals", "removed"),
            plain("set-location", "location"),
            with("set-statistics", "statistics", MetadataShapes.STATISTICS, "snapshot-id"),
            plain("remove-statistics", "snapshot-id"),
            with("set-partition-statistics", "partition-statistics", MetadataShapes.PARTITION_STATISTICS),
            plain("remove-partition-statistics", "snapshot-id"),
            with("add-view-version", "view-version", MetadataShapes.VIEW_VERSION),
            plain("set-current-view-version", "view-version-id"),
            plain("remove-partition-specs", "spec-ids"),
            plain("remove-schemas", "schema-ids"),
            with("add-encryption-key", "encryption-key", MetadataShapes.ENCRYPTION_KEY),
            plain("remove-encryption-key", "key-id"));

    /** What an update adds, where the metadata has it, and the field that names it there. */
    private record Place(String part, String list, String name) {}

    private static final Map<String, Place> KEPT = Map.of(
            "add-snapshot", new Place("snapshot", "snapshots", "snapshot-id"),
            "set-statistics", new Place("statistics", "statistics", "statistics-path"),
            "set-partition-statistics", new Place("partition-statistics", "partition-statistics", "statistics-path"),
            "add-encryption-key", new Place("encryption-key", "encryption-keys", "key-id"));

    private UpdateFields() {}

    /**
     * Those of a table's update that are to be kept.
     *
     * @throws IllegalArgumentException for one that can not be
     */
    public static UnknownFields ofTable(JsonNode update) {
        Optional<ObjectNode> unknown = unknown(update);
        if (unknown.isEmpty()) {
            return UnknownFields.NONE_OF_TABLE;
        }
        Place place = KEPT.get(action(update));
        if (place == null || unknown.get().size() > 1 || !unknown.get().has(place.part)) {
            throw refused("update " + action(update), unknown.get());
        }
        String name = update.get(place.part).path(place.name).asText();
        ObjectNode held = JsonNodeFactory.instance.objectNode();
        held.putObject(place.list).set(name, unknown.get().get(place.part));
        return new UnknownFields(UnknownFields.Of.TABLE, held);
    }

    /**
     * Those of the version that a view's update adds; empty for other updates, and where there are none.
     *
     * @throws IllegalArgumentException for one that can not be kept
     */
    public static Optional<ObjectNode> ofView(JsonNode update) {
        Optional<ObjectNode> unknown = unknown(update);
        if (unknown.isPresent() && (unknown.get().size() > 1 || !unknown.get().has("view-version"))) {
            throw refused("update " + action(update), unknown.get());
        }
        return unknown.map(found -> (ObjectNode) found.get("view-version"));
    }

    /** Those of a new view's version; empty where there are none. */
    public static Optional<ObjectNode> ofVersion(JsonNode version) {
        return MetadataShapes.VIEW_VERSION.unknown(version).map(ObjectNode.class::cast);
    }

    /**
     * For a request to make a table or a view.
     *
     * @throws IllegalArgumentException where something that gets its ids here has one
     */
    public static void requireNoneInNew(JsonNode request) {
        Map.of(
                        "schema",
                        MetadataShapes.type(),
                        "partition-spec",
                        MetadataShapes.SPEC,
                        "write-order",
                        MetadataShapes.SORT_ORDER)
                .forEach((part, shape) -> shape.unknown(request.path(part)).ifPresent(found -> {
                    throw refused(part, found);
                }));
    }

    private static Optional<ObjectNode> unknown(JsonNode update) {
        MetadataShape.Fields shape = UPDATES.get(action(update));
        return shape == null ? Optional.empty() : shape.unknown(update).map(ObjectNode.class::cast);
    }

    private static String action(JsonNode update) {
        return update.path("action").asText("").toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException refused(String where, JsonNode unknown) {
        return new IllegalArgumentException("unknown field in " + where + ": " + unknown
                + ". This catalog can neither apply nor keep it there: leave it out");
    }

    private static Map.Entry<String, MetadataShape.Fields> plain(String action, String... known) {
        return Map.entry(action, new MetadataShape.Fields(names(known), Map.of()));
    }

    private static Map.Entry<String, MetadataShape.Fields> with(
            String action, String part, MetadataShape shape, String... known) {
        return Map.entry(action, new MetadataShape.Fields(names(known), Map.of(part, () -> shape)));
    }

    private static Set<String> names(String... known) {
        Set<String> names = new HashSet<>(Set.of(known));
        names.add("action");
        return names;
    }
}
