package io.weir.incremental.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rows as JSON: integers as numbers, decimals as strings, times in ISO-8601 (UTC with {@code Z} where they have a zone),
 * binary as base64, NULL as null, and floats that are no numbers as {@code "NaN"}, {@code "Infinity"} and
 * {@code "-Infinity"}. Of columns with one name the later ones get a number behind it.
 */
public final class JsonRows {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonRows() {}

    /** All rows that are left, as one array of objects. The stream stays open. */
    public static void array(Rows rows, OutputStream out) throws IOException {
        try (JsonGenerator json = generator(out)) {
            List<String> names = names(rows.columns());
            json.writeStartArray();
            while (rows.next()) {
                object(json, names, rows);
            }
            json.writeEndArray();
        }
    }

    /** All rows that are left, an object a line. The stream stays open. */
    public static void lines(Rows rows, OutputStream out) throws IOException {
        try (JsonGenerator json = generator(out)) {
            json.setRootValueSeparator(null);
            List<String> names = names(rows.columns());
            while (rows.next()) {
                object(json, names, rows);
                json.writeRaw('\n');
            }
        }
    }

    private static JsonGenerator generator(OutputStream out) throws IOException {
        return FACTORY.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    }

    private static List<String> names(List<Column> columns) {
        Set<String> taken = new HashSet<>();
        List<String> names = new ArrayList<>();
        for (Column column : columns) {
            String name = column.name();
            for (int number = 1; !taken.add(name); number++) {
                name = column.name() + "_" + number;
            }
            names.add(name);
        }
        return names;
    }

    private static void object(JsonGenerator json, List<String> names, Rows rows) throws IOException {
        json.writeStartObject();
        for (int i = 0; i < names.size(); i++) {
            json.writeFieldName(names.get(i));
            value(json, rows.value(i));
        }
        json.writeEndObject();
    }

    /** One value, of the kinds {@link Rows#value} gives. */
    public static void value(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Boolean truth -> json.writeBoolean(truth);
            case Long number -> json.writeNumber(number);
            case Integer number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case BigDecimal decimal -> json.writeString(decimal.toPlainString());
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case Float number when Float.isFinite(number) -> json.writeNumber(number);
            case LocalDateTime time -> json.writeString(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time));
            case OffsetDateTime time -> json.writeString(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
            case LocalTime time -> json.writeString(DateTimeFormatter.ISO_LOCAL_TIME.format(time));
            case byte[] bytes -> json.writeBinary(bytes);
            case List<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    value(json, element);
                }
                json.writeEndArray();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(String.valueOf(entry.getKey()));
                    value(json, entry.getValue());
                }
                json.writeEndObject();
            }
            default -> json.writeString(value.toString());
        }
    }
}
