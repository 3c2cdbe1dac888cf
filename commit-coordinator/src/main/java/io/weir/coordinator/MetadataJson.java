package io.weir.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.TableMetadataParser.Codec;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.util.JsonUtil;

/** Metadata files as JSON, compressed where their names say so. */
final class MetadataJson {
    private MetadataJson() {}

    static JsonNode read(InputFile file) {
        boolean compressed = Codec.fromFileName(file.location()) == Codec.GZIP;
        try (InputStream raw = file.newStream();
                InputStream in = compressed ? new GZIPInputStream(raw) : raw) {
            return JsonUtil.mapper().readValue(in, JsonNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException("can not read " + file.location() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Gives back those of the unknown fields that are in the file: what others belonged to is no longer there.
     *
     * @param known the metadata without its unknown fields
     */
    static UnknownFields write(String known, UnknownFields unknown, OutputFile file) {
        boolean compressed = Codec.fromFileName(file.location()) == Codec.GZIP;
        try (OutputStream raw = file.create();
                OutputStream out = compressed ? new GZIPOutputStream(raw) : raw) {
            ObjectNode metadata = (ObjectNode) JsonUtil.mapper().readTree(known);
            unknown.restoreIn(metadata);
            out.write(JsonUtil.mapper().writeValueAsBytes(metadata));
            return UnknownFields.in(unknown.of(), metadata);
        } catch (IOException e) {
            throw new UncheckedIOException("can not write " + file.location(), e);
        }
    }
}
