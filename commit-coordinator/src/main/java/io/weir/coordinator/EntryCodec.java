package io.weir.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** Log entries as JSON. An entry of a format this code does not know is refused, never half read. */
final class EntryCodec {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .addModule(identifiers())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private EntryCodec() {}

    /** How everything the lake keeps about itself is written as JSON. */
    static ObjectMapper mapper() {
        return MAPPER;
    }

    static byte[] encode(LogEntry entry) {
        try {
            return MAPPER.writeValueAsBytes(entry);
        } catch (IOException e) {
            throw new UncheckedIOException("can not encode log entry " + entry.version(), e);
        }
    }

    static LogEntry decode(String key, byte[] bytes) {
        try {
            int format = format(bytes);
            if (format != LogEntry.FORMAT) {
                throw new IllegalStateException(
                        "log entry " + key + " has format " + format + ", this Weir reads format " + LogEntry.FORMAT
                                + ": it was written by another version; run that version or a newer one");
            }
            return MAPPER.readValue(bytes, LogEntry.class);
        } catch (IOException e) {
            throw new IllegalStateException("log entry " + key + " is not readable: " + e.getMessage(), e);
        }
    }

    /** It comes first in every entry of every format, so that the rest need not be understood; -1 where it does not. */
    private static int format(byte[] bytes) throws IOException {
        try (JsonParser json = MAPPER.createParser(bytes)) {
            return json.nextToken() == JsonToken.START_OBJECT && "format".equals(json.nextFieldName())
                    ? json.nextIntValue(-1)
                    : -1;
        }
    }

    private static SimpleModule identifiers() {
        SimpleModule module = new SimpleModule("identifiers");
        module.addDeserializer(Instant.class, new JsonDeserializer<>() {
            @Override
            public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
                try {
                    return InstantText.parse(json.getText());
                } catch (DateTimeParseException e) {
                    throw new IOException("\"" + json.getText() + "\" is not an instant", e);
                }
            }
        });
        module.addSerializer(Namespace.class, new JsonSerializer<>() {
            @Override
            public void serialize(Namespace value, JsonGenerator json, SerializerProvider provider) throws IOException {
                json.writeArray(value.levels(), 0, value.length());
            }
        });
        module.addDeserializer(Namespace.class, new JsonDeserializer<>() {
            @Override
            public Namespace deserialize(JsonParser json, DeserializationContext context) throws IOException {
                return Namespace.of(json.readValueAs(String[].class));
            }
        });
        module.addSerializer(TableIdentifier.class, new JsonSerializer<>() {
            @Override
            public void serialize(TableIdentifier value, JsonGenerator json, SerializerProvider provider)
                    throws IOException {
                String[] levels = value.namespace().levels();
                json.writeStartArray();
                for (String level : levels) {
                    json.writeString(level);
                }
                json.writeString(value.name());
                json.writeEndArray();
            }
        });
        module.addDeserializer(TableIdentifier.class, new JsonDeserializer<>() {
            @Override
            public TableIdentifier deserialize(JsonParser json, DeserializationContext context) throws IOException {
                return TableIdentifier.of(json.readValueAs(String[].class));
            }
        });
        return module;
    }
}
