package io.weir.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.requests.PlanTableScanRequestParser;

/**
 * A plan, or a part of one, as the text that stands for it: it holds all that is needed to plan again, so that no server
 * keeps plans, and every one answers for them, also after a restart.
 *
 * @param table the uuid of the table that is planned
 * @param snapshotId what is read, whatever was committed since
 * @param from the first of the snapshot's data manifests that is planned
 * @param to the one after the last
 */
record ScanToken(String table, long snapshotId, PlanTableScanRequest request, int from, int to) {
    /** More than any request that is taken in; what is longer was not made here. */
    private static final int MAX_BYTES = 64 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The same scan of some of the manifests. */
    ScanToken part(int first, int afterLast) {
        return new ScanToken(table, snapshotId, request, first, afterLast);
    }

    String text() {
        try {
            ObjectNode node = JSON.createObjectNode()
                    .put("table", table)
                    .put("snapshot", snapshotId)
                    .put("from", from)
                    .put("to", to);
            node.set("request", JSON.readTree(PlanTableScanRequestParser.toJson(request)));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(deflated(node.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return packed.toByteArray();
    }

    private static byte[] inflated(byte[] packed) throws IOException {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            byte[] plain = in.readNBytes(MAX_BYTES + 1);
            if (plain.length > MAX_BYTES) {
                throw new IOException("a token of more than " + MAX_BYTES + " bytes");
            }
            return plain;
        }
    }

    /** Empty for a text that no token of this table gave. */
    static Optional<ScanToken> parse(String text, String table) {
        try {
            JsonNode node = JSON.readTree(inflated(Base64.getUrlDecoder().decode(text)));
            ScanToken token = new ScanToken(
                    node.required("table").asText(),
                    node.required("snapshot").asLong(),
                    PlanTableScanRequestParser.fromJson(node.required("request")),
                    node.required("from").asInt(),
                    node.required("to").asInt());
            return token.table.equals(table) && 0 <= token.from && token.from <= token.to
                    ? Optional.of(token)
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
