package io.weir.coordinator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.coordinator.Lineage.Range;
import io.weir.coordinator.Lineage.Stamp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * A table's lineage as one line of JSON, written without what repeats: a commit's stamp stands once and is named by its
 * place among the stamps, and files stand behind the name of their folder.
 *
 * <pre>{"next":40,"stamps":[12,"2026-01-01T00:00:00Z"],"ranges":[0,40,0],"sequences":[1,0],"files":[["…/data/","a.parquet",0]]}</pre>
 */
final class LineageCodec {
    private static final JsonFactory JSON = new JsonFactory();

    private LineageCodec() {}

    static byte[] encode(Lineage.Parts parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            Map<Stamp, Integer> stamps = stamps(parts);
            json.writeStartObject();
            json.writeNumberField("next", parts.nextRowId());
            json.writeArrayFieldStart("stamps");
            for (Stamp stamp : stamps.keySet()) {
                json.writeNumber(stamp.version());
                json.writeString(stamp.at().toString());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("ranges");
            for (Range range : parts.ranges().values()) {
                json.writeNumber(range.firstRowId());
                json.writeNumber(range.rows());
                json.writeNumber(stamps.get(range.stamp()));
            }
            json.writeEndArray();
            json.writeArrayFieldStart("sequences");
            for (Map.Entry<Long, Stamp> sequence : parts.sequences().entrySet()) {
                json.writeNumber(sequence.getKey());
                json.writeNumber(stamps.get(sequence.getValue()));
            }
            json.writeEndArray();
            json.writeArrayFieldStart("files");
            writeFiles(json, new TreeMap<>(parts.firstRowIds()));
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("can not encode a table's lineage", e);
        }
        return bytes.toByteArray();
    }

    private static Map<Stamp, Integer> stamps(Lineage.Parts parts) {
        Map<Stamp, Integer> stamps = new LinkedHashMap<>();
        parts.ranges().values().forEach(range -> stamps.putIfAbsent(range.stamp(), stamps.size()));
        parts.sequences().values().forEach(stamp -> stamps.putIfAbsent(stamp, stamps.size()));
        return stamps;
    }

    /** A folder is written where it changes; the files come sorted, so that is seldom. */
    private static void writeFiles(JsonGenerator json, SortedMap<String, Long> files) throws IOException {
        String folder = null;
        for (Map.Entry<String, Long> file : files.entrySet()) {
            int name = file.getKey().lastIndexOf('/') + 1;
            if (folder == null || name != folder.length() || !file.getKey().startsWith(folder)) {
                if (folder != null) {
                    json.writeEndArray();
                }
                folder = file.getKey().substring(0, name);
                json.writeStartArray();
                json.writeString(folder);
            }
            json.writeString(file.getKey().substring(name));
            json.writeNumber(file.getValue());
        }
        if (folder != null) {
            json.writeEndArray();
        }
    }

    /** @throws IllegalStateException where the bytes are not a lineage */
    static Lineage.Parts decode(byte[] bytes) {
        try (JsonParser json = JSON.createParser(bytes)) {
            return new Decoder(json).parts();
        } catch (IOException e) {
            throw new IllegalStateException("a table's lineage in a checkpoint is not readable: " + e.getMessage(), e);
        }
    }

    private static final class Decoder {
        private final JsonParser json;
        private final List<Stamp> stamps = new ArrayList<>();
        private final TreeMap<Long, Range> ranges = new TreeMap<>();
        private final TreeMap<Long, Stamp> sequences = new TreeMap<>();
        private final Map<String, Long> files = new HashMap<>();
        private long nextRowId;

        Decoder(JsonParser json) {
            this.json = json;
        }

        Lineage.Parts parts() throws IOException {
            expect(JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                field(json.currentName());
            }
            return new Lineage.Parts(
                    nextRowId,
                    TreePMap.fromSortedMap(ranges),
                    TreePMap.fromSortedMap(sequences),
                    HashTreePMap.from(files));
        }

        private void field(String name) throws IOException {
            switch (name) {
                case "next" -> nextRowId = next();
                case "stamps" ->
                    list(() -> {
                        long version = json.getLongValue();
                        stamps.add(new Stamp(version, Instant.parse(json.nextTextValue())));
                    });
                case "ranges" ->
                    list(() -> {
                        long first = json.getLongValue();
                        long rows = next();
                        ranges.put(first, new Range(first, rows, stamps.get((int) next())));
                    });
                case "sequences" ->
                    list(() -> {
                        long sequence = json.getLongValue();
                        sequences.put(sequence, stamps.get((int) next()));
                    });
                case "files" -> list(this::folder);
                default -> throw new IOException("field \"" + name + "\" is not known");
            }
        }

        private void folder() throws IOException {
            String folder = json.nextTextValue();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                String file = folder + json.getText();
                files.put(file, next());
            }
        }

        private long next() throws IOException {
            json.nextToken();
            return json.getLongValue();
        }

        private interface Item {
            void read() throws IOException;
        }

        private void list(Item item) throws IOException {
            expect(JsonToken.START_ARRAY);
            while (json.nextToken() != JsonToken.END_ARRAY) {
                item.read();
            }
        }

        private void expect(JsonToken token) throws IOException {
            if (json.nextToken() != token) {
                throw new IOException("expected " + token + ", found " + json.currentToken());
            }
        }
    }
}
