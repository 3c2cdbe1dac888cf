package io.weir.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Which fields of a piece of Iceberg's JSON are known, so that the others can be told from them, taken out and put back.
 *
 * <p>What is unknown is held in the same shape, less what is known: an element of a list is found again by what names it
 * (or by its place, where the list belongs to something that never changes), and what is unknown of an element that is
 * no longer there is gone with it. Null stands for a field that is not there.
 */
sealed interface MetadataShape {

    /** What of {@code json} is unknown; empty where nothing is. */
    Optional<JsonNode> unknown(JsonNode json);

    /** Puts into {@code json} what of {@code unknown} it does not have itself. */
    void restore(JsonNode json, JsonNode unknown);

    /**
     * An object.
     *
     * @param known the names of fields that are known whole
     * @param parts fields that are known and have unknown ones in them
     */
    record Fields(Set<String> known, Map<String, Supplier<MetadataShape>> parts) implements MetadataShape {
        public Fields {
            known = Set.copyOf(known);
            parts = Map.copyOf(parts);
        }

        @Override
        public Optional<JsonNode> unknown(JsonNode json) {
            if (!json.isObject()) {
                return Optional.empty();
            }
            ObjectNode found = JsonNodeFactory.instance.objectNode();
            json.properties().forEach(field -> {
                if (field.getValue().isNull() || known.contains(field.getKey())) {
                    return;
                }
                if (parts.containsKey(field.getKey())) {
                    parts.get(field.getKey())
                            .get()
                            .unknown(field.getValue())
                            .ifPresent(part -> found.set(field.getKey(), part));
                } else {
                    found.set(field.getKey(), field.getValue());
                }
            });
            return found.isEmpty() ? Optional.empty() : Optional.of(found);
        }

        @Override
        public void restore(JsonNode json, JsonNode unknown) {
            if (!(json instanceof ObjectNode object)) {
                return;
            }
            unknown.properties().forEach(field -> {
                if (parts.containsKey(field.getKey())) {
                    JsonNode part = object.get(field.getKey());
                    if (part != null) {
                        parts.get(field.getKey()).get().restore(part, field.getValue());
                    }
                } else if (!object.has(field.getKey())) {
                    object.set(field.getKey(), field.getValue());
                }
            });
        }
    }

    /**
     * A list whose elements have a field that names them. Held as an object from those names to what is unknown.
     *
     * @param name of that field
     */
    record Named(String name, Supplier<MetadataShape> element) implements MetadataShape {
        @Override
        public Optional<JsonNode> unknown(JsonNode json) {
            ObjectNode found = JsonNodeFactory.instance.objectNode();
            json.forEach(item -> element.get()
                    .unknown(item)
                    .ifPresent(part -> found.set(item.path(name).asText(), part)));
            return found.isEmpty() ? Optional.empty() : Optional.of(found);
        }

        @Override
        public void restore(JsonNode json, JsonNode unknown) {
            Map<String, JsonNode> items = new HashMap<>();
            json.forEach(item -> items.put(item.path(name).asText(), item));
            unknown.properties().forEach(part -> {
                JsonNode item = items.get(part.getKey());
                if (item != null) {
                    element.get().restore(item, part.getValue());
                }
            });
        }
    }

    /** A list whose elements keep their places. */
    record Placed(Supplier<MetadataShape> element) implements MetadataShape {
        @Override
        public Optional<JsonNode> unknown(JsonNode json) {
            ArrayNode found = JsonNodeFactory.instance.arrayNode();
            boolean any = false;
            for (JsonNode item : json) {
                Optional<JsonNode> part = element.get().unknown(item);
                any |= part.isPresent();
                found.add(part.orElseGet(JsonNodeFactory.instance::objectNode));
            }
            return any ? Optional.of(found) : Optional.empty();
        }

        @Override
        public void restore(JsonNode json, JsonNode unknown) {
            for (int i = 0; i < Math.min(json.size(), unknown.size()); i++) {
                element.get().restore(json.get(i), unknown.get(i));
            }
        }
    }

    /** An object from names to objects of one shape. */
    record Mapped(Supplier<MetadataShape> value) implements MetadataShape {
        @Override
        public Optional<JsonNode> unknown(JsonNode json) {
            ObjectNode found = JsonNodeFactory.instance.objectNode();
            json.properties()
                    .forEach(entry ->
                            value.get().unknown(entry.getValue()).ifPresent(part -> found.set(entry.getKey(), part)));
            return found.isEmpty() ? Optional.empty() : Optional.of(found);
        }

        @Override
        public void restore(JsonNode json, JsonNode unknown) {
            unknown.properties().forEach(part -> {
                JsonNode item = json.get(part.getKey());
                if (item != null) {
                    value.get().restore(item, part.getValue());
                }
            });
        }
    }
}
