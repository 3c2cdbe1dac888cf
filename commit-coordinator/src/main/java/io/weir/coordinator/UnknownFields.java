package io.weir.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The fields of a table's or a view's metadata that this version of Iceberg does not know. Its parsers pass them over, so
 * they are kept here beside the metadata and written back into every metadata file that follows, and into every answer:
 * a newer writer's fields are not lost by passing through an older catalog.
 *
 * <p>They stay as they came until what they belong to (a snapshot, a schema, a version of a view) is gone. Immutable, if
 * nobody writes to the nodes.
 *
 * @param of what they are fields of
 * @param held in the shape of the metadata, less all that is known
 */
public record UnknownFields(Of of, ObjectNode held) {
    /** Whose metadata it is. */
    public enum Of {
        TABLE,
        VIEW;

        private MetadataShape shape() {
            return switch (this) {
                case TABLE -> MetadataShapes.TABLE;
                case VIEW -> MetadataShapes.VIEW;
            };
        }
    }

    public static final UnknownFields NONE_OF_TABLE =
            new UnknownFields(Of.TABLE, JsonNodeFactory.instance.objectNode());
    static final UnknownFields NONE_OF_VIEW = new UnknownFields(Of.VIEW, JsonNodeFactory.instance.objectNode());

    /** Those of a metadata file. */
    static UnknownFields in(Of of, JsonNode metadata) {
        return of.shape()
                .unknown(metadata)
                .map(found -> new UnknownFields(of, (ObjectNode) found))
                .orElse(of == Of.TABLE ? NONE_OF_TABLE : NONE_OF_VIEW);
    }

    public boolean isEmpty() {
        return held.isEmpty();
    }

    /** Puts them back into metadata that was written without them. Fields it has itself stay as they are. */
    public void restoreIn(ObjectNode metadata) {
        of.shape().restore(metadata, held.deepCopy());
    }

    /** These and others; where both have one, the other's. */
    public UnknownFields plus(UnknownFields others) {
        if (others.isEmpty()) {
            return this;
        }
        ObjectNode both = held.deepCopy();
        merge(both, others.held);
        return new UnknownFields(of, both);
    }

    private static void merge(ObjectNode into, ObjectNode from) {
        from.properties().forEach(field -> {
            if (into.get(field.getKey()) instanceof ObjectNode before && field.getValue() instanceof ObjectNode after) {
                merge(before, after);
            } else {
                into.set(field.getKey(), field.getValue().deepCopy());
            }
        });
    }
}
