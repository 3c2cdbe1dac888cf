package io.weir.coordinator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Reads a {@link CheckpointLine.Table} from the JSON that Jackson makes of it, several times as fast as Jackson binds it: a
 * checkpoint is mostly tables.
 */
final class TableLine {
    private static final ObjectReader FLOW = EntryCodec.mapper().readerFor(FlowEntry.class);

    private String id;
    private TableIdentifier name;
    private String metadataLocation;
    private String location;
    private FlowEntry flow;
    private Instant createdAt;
    private Instant updatedAt;

    private TableLine() {}

    /** @throws IOException where the bytes are not a table */
    static CheckpointLine.Table read(byte[] bytes, int start, int length) throws IOException {
        TableLine line = new TableLine();
        try (JsonParser json = EntryCodec.mapper().getFactory().createParser(bytes, start, length)) {
            require(json.nextToken() == JsonToken.START_OBJECT, json, "an object");
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                line.field(json.currentName(), json);
            }
        }
        return new CheckpointLine.Table(
                line.id,
                line.name,
                line.metadataLocation,
                line.location,
                Optional.ofNullable(line.flow),
                line.createdAt,
                line.updatedAt);
    }

    private void field(String field, JsonParser json) throws IOException {
        switch (field) {
            case "id" -> id = text(json);
            case "name" -> name = name(json);
            case "metadataLocation" -> metadataLocation = text(json);
            case "location" -> location = text(json);
            case "flow" -> flow = json.nextToken() == JsonToken.VALUE_NULL ? null : FLOW.readValue(json);
            case "createdAt" -> createdAt = InstantText.parse(text(json));
            case "updatedAt" -> updatedAt = InstantText.parse(text(json));
            default -> throw new IOException("field \"" + field + "\" of a table is not known");
        }
    }

    private static TableIdentifier name(JsonParser json) throws IOException {
        require(json.nextToken() == JsonToken.START_ARRAY, json, "a table's name");
        List<String> levels = new ArrayList<>();
        for (String level = json.nextTextValue(); level != null; level = json.nextTextValue()) {
            levels.add(level);
        }
        require(json.currentToken() == JsonToken.END_ARRAY, json, "the end of a table's name");
        return TableIdentifier.of(levels.toArray(String[]::new));
    }

    private static String text(JsonParser json) throws IOException {
        String text = json.nextTextValue();
        require(text != null, json, "text");
        return text;
    }

    private static void require(boolean holds, JsonParser json, String wanted) throws IOException {
        if (!holds) {
            throw new IOException("there is " + json.currentToken() + " where " + wanted + " should be");
        }
    }
}
