package io.weir.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
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
    private static final ObjectMapper JSON = new ObjectMapper();

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
                    .encodeToString(node.toString().getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Empty for a text that no token of this table gave. */
    static Optional<ScanToken> parse(String text, String table) {
        try {
            JsonNode node = JSON.readTree(Base64.getUrlDecoder().decode(text));
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
