package io.weir.service.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.http.Context;
import io.weir.coordinator.Version;
import io.weir.incremental.engine.Column;
import io.weir.incremental.engine.JsonRows;
import io.weir.rest.RestCatalog;
import io.weir.service.statement.AnswerSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes an answer row by row as JSON, NDJSON or CSV. The first rows are held back, so that a statement that fails early
 * still gets its error's status; an answer that fails after that is cut off, never made to look whole.
 */
final class AnswerWriter implements AnswerSink {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int HELD_BACK_BYTES = 1 << 20;

    private final Context context;
    private final AnswerFormat format;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private OutputStream out;
    private JsonGenerator json;
    private String[] names;
    private boolean first = true;

    AnswerWriter(Context context, AnswerFormat format) {
        this.context = context;
        this.format = format;
    }

    @Override
    public void start(Version version, List<Column> columns) {
        context.header(RestCatalog.VERSION_HEADER, version.toString());
        names = names(columns);
        try {
            json = JSON.createGenerator(held).setRootValueSeparator(null);
            if (format == AnswerFormat.JSON) {
                json.writeStartArray();
            } else if (format == AnswerFormat.CSV && names.length > 0) {
                csv(List.<Object>of((Object[]) names));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Later columns of one name get a number behind it: an object has each key once. */
    private static String[] names(List<Column> columns) {
        Set<String> taken = new HashSet<>();
        String[] names = new String[columns.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = columns.get(i).name();
            for (int number = 1; !taken.add(names[i]); number++) {
                names[i] = columns.get(i).name() + "_" + number;
            }
        }
        return names;
    }

    @Override
    public void row(List<Object> values) {
        try {
            if (format == AnswerFormat.CSV) {
                csv(values);
            } else {
                if (format == AnswerFormat.NDJSON && !first) {
                    json.writeRaw('\n');
                }
                json.writeStartObject();
                for (int i = 0; i < names.length; i++) {
                    json.writeFieldName(names[i]);
                    JsonRows.value(json, values.get(i));
                }
                json.writeEndObject();
            }
            first = false;
            spill();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void spill() throws IOException {
        if (out == null && held.size() < HELD_BACK_BYTES) {
            return;
        }
        json.flush();
        if (out == null) {
            context.status(200).contentType(format.contentType());
            out = context.outputStream();
        }
        held.writeTo(out);
        held.reset();
    }

    /** The answer is whole. */
    void finish() {
        try {
            if (format == AnswerFormat.JSON) {
                json.writeEndArray();
            } else if (format == AnswerFormat.NDJSON && !first) {
                json.writeRaw('\n');
            }
            json.flush();
            if (out == null) {
                context.status(200).contentType(format.contentType()).result(held.toByteArray());
            } else {
                held.writeTo(out);
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether bytes have gone out: an error can no longer have a status of its own. */
    boolean hasBegun() {
        return out != null;
    }

    private void csv(List<Object> values) throws IOException {
        var line = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            line.append(i == 0 ? "" : ",").append(csvField(values.get(i)));
        }
        held.writeBytes(line.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    /** NULL is an empty field, the empty string two quotes. */
    private static String csvField(Object value) throws IOException {
        if (value == null) {
            return "";
        }
        String text;
        if (value instanceof String string) {
            text = string;
        } else {
            var bytes = new ByteArrayOutputStream();
            try (JsonGenerator generator = JSON.createGenerator(bytes)) {
                JsonRows.value(generator, value);
            }
            String written = bytes.toString(StandardCharsets.UTF_8);
            text = written.startsWith("\"") ? written.substring(1, written.length() - 1) : written;
        }
        boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
