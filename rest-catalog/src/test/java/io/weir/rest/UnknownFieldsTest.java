package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.coordinator.MarkedVersions;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** What Iceberg's parsers pass over is kept: through commits, in the metadata files, in the answers, after a restart. */
class UnknownFieldsTest extends OnServedLake {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final String TABLES = "/v1/lake/namespaces/default/tables";
    private static final String VIEWS = "/v1/lake/namespaces/default/views";
    private static final String STORAGE = "{\"namespace\":[\"default\"],\"name\":\"v_storage\"}";

    /** The served lake, closed and opened again from its store. */
    private void restart() throws Exception {
        catalog.close();
        served.close();
        served = ServedLake.in(folder);
        catalog = served.catalog();
    }

    private JsonNode metadata(String path) {
        HttpResponse<String> answer = served.get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return ServedLake.json(answer).get("metadata");
    }

    private JsonNode file(String path) throws Exception {
        String location =
                ServedLake.json(served.get(path)).get("metadata-location").asText();
        return JSON.readTree(Files.readString(Path.of(location.replaceFirst("^file:/*", "/"))));
    }

    private JsonNode post(String path, String body) {
        HttpResponse<String> answer = served.post(path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return ServedLake.json(answer).get("metadata");
    }

    private void assertRefused(String path, String body, String message) {
        HttpResponse<String> answer = served.post(path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(message);
    }

    private static JsonNode current(JsonNode view) {
        return StreamSupport.stream(view.get("versions").spliterator(), false)
                .filter(version -> version.get("version-id").equals(view.get("current-version-id")))
                .findFirst()
                .orElseThrow();
    }

    private static String version(String sql, String more) {
        return "{\"version-id\": 1, \"timestamp-ms\": 1, \"schema-id\": 0, \"summary\": {}, \"default-namespace\":"
                + " [\"default\"], \"representations\": [{\"type\": \"sql\", \"sql\": \"" + sql
                + "\", \"dialect\": \"spark\"}]" + more + "}";
    }

    private static String replace(String version) {
        return "{\"requirements\": [], \"updates\": [{\"action\": \"add-view-version\", \"view-version\": " + version
                + "}, {\"action\": \"set-current-view-version\", \"view-version-id\": -1}]}";
    }

    private static String createView(String more) {
        return "{\"name\": \"v\", \"schema\": {\"type\": \"struct\", \"schema-id\": 0, \"fields\": [{\"id\": 1, \"name\":"
                + " \"id\", \"type\": \"long\", \"required\": false}]}, \"properties\": {}, \"view-version\": "
                + version("select 1", more) + "}";
    }

    @Test
    void aViewsStorageTableIsKeptThroughCommitsAndARestart() throws Exception {
        JsonNode made = post(VIEWS, createView(", \"storage-table\": " + STORAGE));
        assertThat(current(made).get("storage-table")).hasToString(STORAGE);
        assertThat(current(file(VIEWS + "/v")).get("storage-table")).hasToString(STORAGE);
        post(
                VIEWS + "/v",
                "{\"requirements\": [], \"updates\": [{\"action\": \"set-properties\", \"updates\": {\"a\": \"b\"}}]}");
        restart();
        assertThat(current(metadata(VIEWS + "/v")).get("storage-table")).hasToString(STORAGE);
        assertThat(metadata(VIEWS + "/v").get("properties").get("a").asText()).isEqualTo("b");
    }

    @Test
    void aReplacedViewHasTheStorageTableOfItsNewVersionAndTheOldVersionItsOwn() throws Exception {
        post(VIEWS, createView(", \"storage-table\": " + STORAGE));
        post(VIEWS + "/v", replace(version("select 2", "")));
        restart();
        JsonNode view = metadata(VIEWS + "/v");
        assertThat(view.get("versions")).hasSize(2);
        assertThat(current(view).has("storage-table")).isFalse();
        assertThat(view.get("versions").get(0).get("storage-table")).hasToString(STORAGE);
    }

    /** Iceberg takes versions of the same text for one. */
    @Test
    void aVersionOfTheSameTextWithAnotherStorageTableIsAVersionOfItsOwn() {
        post(VIEWS, createView(", \"storage-table\": " + STORAGE));
        String other = STORAGE.replace("v_storage", "other");
        JsonNode view = post(VIEWS + "/v", replace(version("select 1", ", \"storage-table\": " + other)));
        assertThat(view.get("versions")).hasSize(2);
        assertThat(current(view).get("storage-table")).hasToString(other);
        assertThat(view.get("versions").get(0).get("storage-table")).hasToString(STORAGE);
        assertThat(current(view).get("summary").has(MarkedVersions.SUMMARY_KEY)).isTrue();
    }

    /** A table with unknown fields on every level of its metadata, registered as {@code readings}. */
    private Snapshot registered() throws Exception {
        Table table = catalog.createTable(READINGS, SCHEMA);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        TableMetadata metadata = ((BaseTable) table).operations().current();
        ObjectNode json = (ObjectNode) JSON.readTree(TableMetadataParser.toJson(metadata));
        json.put("owner-team", "meters").putNull("nothing");
        ((ObjectNode) json.at("/snapshots/0")).put("signed-by", "me");
        ((ObjectNode) json.at("/refs/main")).put("protected", true);
        ((ObjectNode) json.at("/schemas/0/fields/0")).put("unit", "kWh");
        String file = metadata.location() + "/metadata/unknown.metadata.json";
        Files.write(Path.of(file.replaceFirst("^file:/*", "/")), json.toString().getBytes(StandardCharsets.UTF_8));
        post(
                "/v1/lake/namespaces/default/register",
                "{\"name\": \"readings\", \"metadata-location\": \"" + file + "\", \"overwrite\": true}");
        return metadata.currentSnapshot();
    }

    private static void assertAllKept(JsonNode metadata) {
        assertThat(metadata.get("owner-team").asText()).isEqualTo("meters");
        assertThat(metadata.has("nothing")).isFalse();
        assertThat(metadata.at("/snapshots/0/signed-by").asText()).isEqualTo("me");
        assertThat(metadata.at("/refs/main/protected").asBoolean()).isTrue();
        assertThat(metadata.at("/schemas/0/fields/0/unit").asText()).isEqualTo("kWh");
    }

    @Test
    void unknownFieldsOfARegisteredTableAreKeptThroughCommitsAndARestart() throws Exception {
        registered();
        assertAllKept(metadata(TABLES + "/readings"));
        Table table = catalog.loadTable(READINGS);
        table.newFastAppend().appendFile(ServedLake.file(table, 4)).commit();
        table.updateSchema().addColumn("more", Types.StringType.get()).commit();
        assertAllKept(metadata(TABLES + "/readings"));
        restart();
        assertAllKept(metadata(TABLES + "/readings"));
        assertAllKept(metadata(TABLES + "/readings?snapshots=all"));
        assertAllKept(file(TABLES + "/readings"));
    }

    @Test
    void whatWasUnknownOfASnapshotIsGoneWithIt() throws Exception {
        Snapshot first = registered();
        Table table = catalog.loadTable(READINGS);
        table.newFastAppend().appendFile(ServedLake.file(table, 4)).commit();
        JsonNode after = post(
                TABLES + "/readings",
                "{\"requirements\": [], \"updates\": [{\"action\": \"remove-snapshots\", \"snapshot-ids\": ["
                        + first.snapshotId() + "]}]}");
        assertThat(after.toString()).doesNotContain("signed-by").contains("owner-team");
    }

    private String addSnapshot(Snapshot like, long id, String requirements) {
        return String.format(
                Locale.ROOT,
                "{\"requirements\": [%s], \"updates\": [{\"action\": \"add-snapshot\", \"snapshot\": {\"snapshot-id\": %d,"
                        + " \"parent-snapshot-id\": %d, \"sequence-number\": %d, \"timestamp-ms\": %d, \"schema-id\": 0,"
                        + " \"manifest-list\": \"%s\", \"summary\": {\"operation\": \"append\"}, \"signed-by\": \"me\"}},"
                        + " {\"action\": \"set-snapshot-ref\", \"ref-name\": \"main\", \"type\": \"branch\","
                        + " \"snapshot-id\": %d}]}",
                requirements,
                id,
                like.snapshotId(),
                like.sequenceNumber() + 1,
                System.currentTimeMillis(),
                like.manifestListLocation(),
                id);
    }

    @Test
    void anUnknownFieldOfACommittedSnapshotIsKept() throws Exception {
        Table table = catalog.createTable(READINGS, SCHEMA);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        post(TABLES + "/readings", addSnapshot(table.currentSnapshot(), 77, ""));
        restart();
        JsonNode snapshots = metadata(TABLES + "/readings").get("snapshots");
        assertThat(snapshots.get(0).has("signed-by")).isFalse();
        assertThat(snapshots.get(1).get("signed-by").asText()).isEqualTo("me");
    }

    @Test
    void aStaleAppendWithAnUnknownFieldIsNotPutOnAnotherSnapshot() {
        Table table = catalog.createTable(READINGS, SCHEMA);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        HttpResponse<String> answer = served.post(
                TABLES + "/readings",
                addSnapshot(
                        table.currentSnapshot(),
                        77,
                        "{\"type\": \"assert-ref-snapshot-id\", \"ref\": \"main\", \"snapshot-id\": null}"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    }

    @Test
    void anUnknownFieldThatCanNotBeKeptIsRefused() {
        catalog.createTable(READINGS, SCHEMA);
        assertRefused(
                TABLES + "/readings",
                "{\"requirements\": [], \"updates\": [{\"action\": \"set-location\", \"location\": \"file:/tmp/x\","
                        + " \"unless\": 1}]}",
                "updates[0]: unknown field in update set-location: {\\\"unless\\\":1}");
        assertRefused(
                TABLES + "/readings",
                "{\"requirements\": [], \"updates\": [{\"action\": \"add-schema\", \"schema\": {\"type\": \"struct\","
                        + " \"schema-id\": 1, \"fields\": [{\"id\": 1, \"name\": \"id\", \"type\": \"long\", \"required\":"
                        + " false, \"unit\": \"kWh\"}]}}]}",
                "unknown field in update add-schema");
        assertRefused(
                TABLES,
                "{\"name\": \"t\", \"schema\": {\"type\": \"struct\", \"fields\": [{\"id\": 1, \"name\": \"id\","
                        + " \"type\": \"long\", \"required\": false, \"unit\": \"kWh\"}]}}",
                "unknown field in schema");
    }

    @Test
    void encryptionKeysAndTheirUnknownFieldsAreKeptUntilTheyAreRemoved() throws Exception {
        catalog.buildTable(READINGS, SCHEMA).withProperty("format-version", "3").create();
        post(
                TABLES + "/readings",
                "{\"requirements\": [], \"updates\": [{\"action\": \"add-encryption-key\", \"encryption-key\": {\"key-id\":"
                        + " \"k1\", \"encrypted-key-metadata\": \"AQID\", \"encrypted-by-id\": \"kek\", \"properties\":"
                        + " {\"p\": \"q\"}, \"hsm\": \"eu\"}}]}");
        catalog.loadTable(READINGS).updateProperties().set("a", "b").commit();
        restart();
        JsonNode key = metadata(TABLES + "/readings").at("/encryption-keys/0");
        assertThat(key.get("key-id").asText()).isEqualTo("k1");
        assertThat(key.get("encrypted-key-metadata").asText()).isEqualTo("AQID");
        assertThat(key.get("properties")).hasToString("{\"p\":\"q\"}");
        assertThat(key.get("hsm").asText()).isEqualTo("eu");
        JsonNode without = post(
                TABLES + "/readings",
                "{\"requirements\": [], \"updates\": [{\"action\": \"remove-encryption-key\", \"key-id\": \"k1\"}]}");
        assertThat(without.path("encryption-keys")).isEmpty();
    }
}
