package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.coordinator.CatalogState;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong is told in the Iceberg error model, with the status of its class, and leaves the lake as it was. */
class BadInputTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final String NAMESPACES = "/v1/lake/namespaces";
    private static final String TABLE = NAMESPACES + "/default/tables/readings";

    @TempDir
    private Path folder;

    private ServedLake served;
    private RESTCatalog catalog;
    private Table table;
    private List<Object> before;

    @BeforeEach
    void serve() {
        served = ServedLake.in(folder);
        catalog = served.catalog();
        table = catalog.createTable(READINGS, SCHEMA);
        before = contents();
    }

    @AfterEach
    void nothingWasWritten() throws Exception {
        assertThat(contents()).isEqualTo(before);
        catalog.close();
        served.close();
    }

    /** All that the lake holds; a refusal kept for an idempotency key is no part of it. */
    private List<Object> contents() {
        CatalogState state = served.lake().state();
        return List.of(state.tablesById(), state.namespaces(), state.logicalViews(), state.dropped(), state.commits());
    }

    @Test
    void malformedJsonIsABadRequestThatSaysWhere() {
        assertRefused(served.post(NAMESPACES, "{\"namespace\": [\"a\""), 400, "BadRequestException", "line 1");
        assertRefused(served.post(TABLE, "[]"), 400, "BadRequestException", "must be a JSON object");
        assertRefused(served.post(TABLE, ""), 400, "BadRequestException", "must be a JSON object");
        assertRefused(served.post(NAMESPACES, "{\"namespace\": [\"a\"]} {}"), 400, "BadRequestException", "not JSON");
    }

    @Test
    void missingAndNullFieldsAreBadRequests() {
        assertRefused(served.post(NAMESPACES, "{}"), 400, "BadRequestException", "namespace");
        assertRefused(served.post(NAMESPACES, "{\"namespace\": []}"), 400, "BadRequestException", "no levels");
        assertRefused(served.post(NAMESPACES, "{\"namespace\": [\"\"]}"), 400, "BadRequestException", "empty");
        assertRefused(
                served.post(NAMESPACES, "{\"namespace\": [\"a\"], \"properties\": {\"k\": null}}"),
                400,
                "BadRequestException",
                "Property \"k\" is null");
        assertRefused(
                served.post(NAMESPACES + "/default/tables", "{\"name\": \"t\"}"), 400, "BadRequestException", "schema");
        assertRefused(served.post("/v1/lake/transactions/commit", "{}"), 400, "BadRequestException", "table-changes");
        assertRefused(
                served.post(
                        "/v1/lake/transactions/commit",
                        "{\"table-changes\": [{\"requirements\": [], \"updates\": []}]}"),
                400,
                "BadRequestException",
                "table-changes[0].identifier is missing");
    }

    @Test
    void anUnknownFieldOfARequirementIsABadRequest() {
        assertRefused(
                served.post(TABLE, """
                        {"requirements": [{"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": null,
                                           "or-else": true}],
                         "updates": [{"action": "set-properties", "updates": {"a": "b"}}]}"""), 400, "BadRequestException", "requirements[0]: unknown field \"or-else\"");
    }

    @Test
    void whatIsForViewsIsNotForTablesAndTheOtherWayRound() {
        String uuid = "{\"requirements\": [{\"type\": \"assert-view-uuid\", \"uuid\": \"x\"}], \"updates\": []}";
        assertThat(served.post(TABLE, uuid).statusCode()).isEqualTo(400);
        String version = "{\"requirements\": [], \"updates\": [{\"action\": \"set-current-view-version\","
                + " \"view-version-id\": 1}]}";
        assertThat(served.post(TABLE, version).statusCode()).isEqualTo(400);
    }

    @Test
    void aViewsMetadataIsWhereTheLakeCanWriteItAndNoTableIs() {
        String views = NAMESPACES + "/default/views";
        assertRefused(
                served.post(views, ServedLake.view("v", "\"write.metadata.path\": \"s3://elsewhere/v\"")),
                400,
                "BadRequestException",
                "is not on the store");
        assertRefused(
                served.post(
                        views, ServedLake.view("v", "\"write.metadata.path\": \"" + table.location() + "/metadata\"")),
                400,
                "BadRequestException",
                "overlaps that of table");
    }

    @Test
    void aSnapshotWhoseManifestListIsMissingIsABadRequest() {
        String list = table.location() + "/metadata/snap-1-missing.avro";
        assertRefused(served.post(TABLE, snapshot(list)), 400, "BadRequestException", list);
    }

    @Test
    void aFileOutsideTheTablesLocationIsABadRequest() {
        DataFile outside = DataFiles.builder(table.spec())
                .withPath(folder.toUri() + "elsewhere/a.parquet")
                .withFileSizeInBytes(1)
                .withRecordCount(1)
                .build();
        assertThatThrownBy(() -> table.newFastAppend().appendFile(outside).commit())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("elsewhere/a.parquet is not under the location of table");
        String list = served.lake().root() + "/elsewhere/snap.avro";
        assertRefused(served.post(TABLE, snapshot(list)), 400, "BadRequestException", list);
    }

    @Test
    void aLocationOnAnotherKindOfStoreIsABadRequest() {
        assertRefused(
                served.post(NAMESPACES + "/default/tables", """
                        {"name": "far", "location": "s3://elsewhere/far",
                         "schema": {"type": "struct", "fields": []}}"""),
                400,
                "BadRequestException",
                "s3://elsewhere/far is not on the store of lake");
        assertRefused(served.post(TABLE, """
                        {"requirements": [], "updates": [{"action": "set-location", "location": "gs://b/far"}]}"""), 400, "BadRequestException", "gs://b/far is not on the store of lake");
    }

    @Test
    void aRequirementThatDoesNotHoldIsAConflict() {
        assertRefused(served.post(TABLE, """
                        {"requirements": [{"type": "assert-current-schema-id", "current-schema-id": 5}],
                         "updates": [{"action": "set-properties", "updates": {"a": "b"}}]}"""), 409, "CommitFailedException", "schema");
    }

    @Test
    void whatDoesNotExistIsNotFound() {
        assertRefused(served.get("/v1/config?warehouse=nowhere"), 404, "NoSuchWarehouseException", "nowhere");
        assertRefused(served.get("/v1/nowhere/namespaces"), 404, "NoSuchWarehouseException", "nowhere");
        assertRefused(served.get("/v1/lake@999/namespaces"), 404, "NoSuchWarehouseException", "999");
        assertRefused(served.get("/v1/lake@x/namespaces"), 400, "BadRequestException", "not a version");
        assertRefused(served.get(NAMESPACES + "/none"), 404, "NoSuchNamespaceException", "none");
        assertRefused(served.get(NAMESPACES + "/none/tables"), 404, "NoSuchNamespaceException", "none");
        assertRefused(served.get(NAMESPACES + "?parent=none"), 404, "NoSuchNamespaceException", "none");
        assertRefused(served.get(NAMESPACES + "/default/tables/none"), 404, "NoSuchTableException", "none");
        assertRefused(
                served.post(NAMESPACES + "/default/tables/none", "{\"requirements\": [], \"updates\": []}"),
                404,
                "NoSuchTableException",
                "none");
        assertRefused(served.get("/v1/lake/nothing/here"), 404, "NotFoundException", "/v1/config lists");
        assertThat(served.send("HEAD", NAMESPACES + "/none").statusCode()).isEqualTo(404);
        assertThat(served.send("HEAD", TABLE).statusCode()).isEqualTo(204);
    }

    @Test
    void questionableParametersAreBadRequests() {
        assertRefused(served.get(NAMESPACES + "?pageSize=0"), 400, "BadRequestException", "pageSize");
        assertRefused(served.get(NAMESPACES + "?pageSize=2&pageToken=!"), 400, "BadRequestException", "pageToken");
        assertRefused(served.get(TABLE + "?snapshots=some"), 400, "BadRequestException", "snapshots");
        assertRefused(
                served.send("DELETE", TABLE + "?purgeRequested=maybe"), 400, "BadRequestException", "purgeRequested");
        assertRefused(
                served.post(NAMESPACES + "/default/properties", "{\"removals\": [\"a\"], \"updates\": {\"a\": \"b\"}}"),
                422,
                "UnprocessableEntityException",
                "cannot simultaneously set and remove");
    }

    @Test
    void everythingThatIsAdvertisedIsRoutedAndNothingElse() {
        JsonNode endpoints = ServedLake.json(served.get("/v1/config")).get("endpoints");
        assertThat(endpoints).isNotEmpty();
        for (JsonNode text : endpoints) {
            Endpoint endpoint = Endpoint.fromString(text.asText());
            String path = endpoint.path()
                    .replace("{prefix}", "lake")
                    .replace("{namespace}", "none")
                    .replace("{table}", "none")
                    .replace("{view}", "none")
                    .replace("{plan-id}", "none");
            assertThat(served.send(endpoint.httpMethod(), path).body())
                    .as(text.asText())
                    .doesNotContain("No route");
        }
        assertRefused(served.send("GET", NAMESPACES + "/default/functions"), 404, "NotFoundException", "No route");
        assertRefused(served.send("POST", TABLE + "/sign"), 404, "NotFoundException", "No route");
    }

    @Test
    void aTableThatHasNotChangedIsNotSentAgain() {
        HttpResponse<String> first = served.get(TABLE);
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(served.get(TABLE, "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(served.get(TABLE + "?snapshots=refs", "If-None-Match", tag).statusCode())
                .isEqualTo(200);
    }

    private String snapshot(String manifestList) {
        return String.format(Locale.ROOT, """
                {"requirements": [],
                 "updates": [{"action": "add-snapshot", "snapshot": {"snapshot-id": 1, "sequence-number": 1,
                    "timestamp-ms": %d, "schema-id": 0, "manifest-list": "%s", "summary": {"operation": "append"}}},
                   {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": 1}]}""", System.currentTimeMillis(), manifestList);
    }

    private void assertRefused(HttpResponse<String> response, int status, String type, String message) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode error = ServedLake.json(response).get("error");
        assertThat(error.get("code").asInt()).isEqualTo(status);
        assertThat(error.get("type").asText()).isEqualTo(type);
        assertThat(error.get("message").asText()).contains(message);
        assertThat(response.headers().firstValue(RestCatalog.VERSION_HEADER)).contains(Long.toString(served.version()));
    }
}
