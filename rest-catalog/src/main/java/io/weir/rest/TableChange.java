package io.weir.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.coordinator.Action;
import io.weir.coordinator.MarkedVersions;
import io.weir.coordinator.UnknownFields;
import io.weir.coordinator.UpdateFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.iceberg.EnvironmentContext;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.MetadataUpdateParser;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.UpdateRequirementParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.TableIdentifierParser;

/**
 * A commit to one table or view, read from its JSON.
 *
 * <p>A requirement of an unknown type or with an unknown field is refused: what is not understood can not be checked,
 * and a condition that is not checked is no condition. Updates of an unknown type are refused too. Unknown fields of
 * what an update adds are kept beside it where that can be done, and refused where not ({@link UpdateFields}).
 *
 * @param besides unknown fields of what is added to a table
 * @param versions unknown fields of the versions that are added to a view
 */
record TableChange(
        Optional<TableIdentifier> identifier,
        List<UpdateRequirement> requirements,
        List<MetadataUpdate> updates,
        UnknownFields besides,
        MarkedVersions versions) {

    private static final Map<String, Set<String>> REQUIREMENT_FIELDS = Map.of(
            "assert-create", Set.of("type"),
            "assert-table-uuid", Set.of("type", "uuid"),
            "assert-view-uuid", Set.of("type", "uuid"),
            "assert-ref-snapshot-id", Set.of("type", "ref", "snapshot-id"),
            "assert-last-assigned-field-id", Set.of("type", "last-assigned-field-id"),
            "assert-current-schema-id", Set.of("type", "current-schema-id"),
            "assert-last-assigned-partition-id", Set.of("type", "last-assigned-partition-id"),
            "assert-default-spec-id", Set.of("type", "default-spec-id"),
            "assert-default-sort-order-id", Set.of("type", "default-sort-order-id"));

    TableChange {
        requirements = List.copyOf(requirements);
        updates = List.copyOf(updates);
    }

    /** @param where the change stands in the body, as a prefix for messages; empty for the body itself */
    static TableChange parse(JsonNode node, String where) {
        if (!node.isObject()) {
            throw HttpProblem.badRequest("%s must be an object", where.isEmpty() ? "The request body" : where);
        }
        String prefix = where.isEmpty() ? "" : where + ".";
        Optional<TableIdentifier> identifier = node.hasNonNull("identifier")
                ? Optional.of(read(node.get("identifier"), prefix + "identifier", TableIdentifierParser::fromJson))
                : Optional.empty();
        List<UpdateRequirement> requirements = list(node, "requirements", prefix, TableChange::requirement);
        List<Update> updates = list(node, "updates", prefix, TableChange::update);
        UnknownFields besides = updates.stream()
                .map(Update::besides)
                .reduce(UnknownFields::plus)
                .orElse(UnknownFields.NONE_OF_TABLE);
        Map<String, ObjectNode> versions = new HashMap<>();
        updates.forEach(
                update -> update.version.ifPresent(unknown -> versions.put(MarkedVersions.mark(unknown), unknown)));
        return new TableChange(
                identifier,
                requirements,
                updates.stream().map(Update::known).toList(),
                besides,
                new MarkedVersions(versions));
    }

    Action.UpdateTable of(TableIdentifier table) {
        return new Action.UpdateTable(table, requirements, updates, besides);
    }

    Action.UpdateView ofView(TableIdentifier view) {
        return new Action.UpdateView(view, requirements, updates, versions);
    }

    /** What the writer calls itself in its snapshots, if it does. */
    Optional<String> engine() {
        return updates.stream()
                .flatMap(update ->
                        update instanceof MetadataUpdate.AddSnapshot add ? Stream.of(add.snapshot()) : Stream.empty())
                .map(snapshot ->
                        snapshot.summary() == null ? null : snapshot.summary().get(EnvironmentContext.ENGINE_NAME))
                .filter(name -> name != null && !name.isBlank())
                .findFirst();
    }

    private static <T> List<T> list(JsonNode node, String field, String prefix, Function<JsonNode, T> reader) {
        JsonNode array = node.get(field);
        if (array == null || !array.isArray()) {
            throw HttpProblem.badRequest("%s%s is missing or not a list", prefix, field);
        }
        List<T> read = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            read.add(read(array.get(i), prefix + field + "[" + i + "]", reader));
        }
        return read;
    }

    private static <T> T read(JsonNode node, String where, Function<JsonNode, T> reader) {
        try {
            return reader.apply(node);
        } catch (RuntimeException e) {
            throw HttpProblem.badRequest("%s: %s", where, e.getMessage());
        }
    }

    private static UpdateRequirement requirement(JsonNode node) {
        String type = node.path("type").asText("").toLowerCase(Locale.ROOT);
        Set<String> known = REQUIREMENT_FIELDS.get(type);
        if (known == null) {
            throw HttpProblem.badRequest(
                    "unknown requirement type \"%s\"", node.path("type").asText(""));
        }
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw HttpProblem.badRequest("unknown field \"%s\" in requirement %s", field, type);
            }
        });
        return UpdateRequirementParser.fromJson(node);
    }

    /**
     * @param besides what is unknown of what it adds to a table
     * @param version what is unknown of the version it adds to a view
     */
    private record Update(MetadataUpdate known, UnknownFields besides, Optional<ObjectNode> version) {}

    private static Update update(JsonNode node) {
        MetadataUpdate update = MetadataUpdateParser.fromJson(node);
        if (update instanceof MetadataUpdate.UpgradeFormatVersion upgrade) {
            NewTable.requireSupported(upgrade.formatVersion());
        }
        if (update instanceof MetadataUpdate.AddViewVersion add) {
            return UpdateFields.ofView(node)
                    .map(unknown -> new Update(
                            new MetadataUpdate.AddViewVersion(
                                    MarkedVersions.marked(add.viewVersion(), MarkedVersions.mark(unknown))),
                            UnknownFields.NONE_OF_TABLE,
                            Optional.of(unknown)))
                    .orElseGet(() -> new Update(add, UnknownFields.NONE_OF_TABLE, Optional.empty()));
        }
        return new Update(update, UpdateFields.ofTable(node), Optional.empty());
    }
}
