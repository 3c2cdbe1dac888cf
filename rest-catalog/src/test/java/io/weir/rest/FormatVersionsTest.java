package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Format versions 1 to 3, the way between them, and what each keeps; 4 is refused. */
class FormatVersionsTest extends OnServedLake {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final String TABLES = "/v1/lake/namespaces/default/tables";
    private static final String TABLE = TABLES + "/readings";

    private void restart() throws Exception {
        catalog.close();
        served.close();
        served = ServedLake.in(folder);
        catalog = served.catalog();
    }

    private static String commit(String updates) {
        return "{\"requirements\": [], \"updates\": [" + updates + "]}";
    }

    private static String upgrade(int version) {
        return commit("{\"action\": \"upgrade-format-version\", \"format-version\": " + version + "}");
    }

    private static void assertRefused(HttpResponse<String> answer, String message) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(message);
    }

    private JsonNode metadata() {
        HttpResponse<String> answer = served.get(TABLE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return ServedLake.json(answer).get("metadata");
    }

    private Table created(int version) {
        return catalog.buildTable(READINGS, SCHEMA)
                .withProperty("format-version", Integer.toString(version))
                .create();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTableOfEachVersionIsWrittenAndFoundAgainAfterARestart(int version) throws Exception {
        Table table = created(version);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        restart();
        assertThat(metadata().get("format-version").asInt()).isEqualTo(version);
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "3");
    }

    @Test
    void aTableGoesFromVersion1To2To3WithItsRows() throws Exception {
        Table table = created(1);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        for (int version : new int[] {2, 3}) {
            assertThat(served.post(TABLE, upgrade(version)).statusCode()).isEqualTo(200);
            assertThat(metadata().get("format-version").asInt()).isEqualTo(version);
            Table upgraded = catalog.loadTable(READINGS);
            upgraded.newFastAppend().appendFile(ServedLake.file(upgraded, 10)).commit();
        }
        restart();
        assertThat(metadata().get("format-version").asInt()).isEqualTo(3);
        assertThat(metadata().get("next-row-id").asLong()).isGreaterThanOrEqualTo(10);
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "23");
    }

    @Test
    void aDowngradeIsRefusedAndChangesNothing() {
        created(3);
        for (int version : new int[] {2, 1, 0}) {
            assertThat(served.post(TABLE, upgrade(version)).statusCode())
                    .as("version " + version)
                    .isEqualTo(400);
        }
        assertRefused(served.post(TABLE, upgrade(2)), "downgrade");
        assertThat(metadata().get("format-version").asInt()).isEqualTo(3);
    }

    @Test
    void version4IsRefusedAtCreationByUpgradeAndAtRegistration() throws Exception {
        String create = "{\"name\": \"readings\", \"schema\": {\"type\": \"struct\", \"fields\": [{\"id\": 1, \"name\":"
                + " \"id\", \"type\": \"long\", \"required\": false}]}, \"properties\": {\"format-version\": \"4\"}%s}";
        assertRefused(served.post(TABLES, create.replace("%s", "")), "Format version 4 is not supported");
        assertRefused(
                served.post(TABLES, create.replace("%s", ", \"stage-create\": true")),
                "Format version 4 is not supported");
        Table table = created(3);
        assertRefused(served.post(TABLE, upgrade(4)), "Format version 4 is not supported");
        assertRefused(
                served.post(
                        "/v1/lake/transactions/commit",
                        "{\"table-changes\": [{\"identifier\": {\"namespace\": [\"default\"], \"name\": \"readings\"},"
                                + upgrade(4).substring(1) + "]}"),
                "Format version 4 is not supported");
        TableMetadata metadata = ((BaseTable) table).operations().current();
        ObjectNode four = (ObjectNode) JSON.readTree(TableMetadataParser.toJson(metadata));
        four.put("format-version", 4);
        String file = metadata.location() + "/metadata/four.metadata.json";
        Files.write(Path.of(file.replaceFirst("^file:/*", "/")), four.toString().getBytes(StandardCharsets.UTF_8));
        HttpResponse<String> registered = served.post(
                "/v1/lake/namespaces/default/register",
                "{\"name\": \"readings\", \"metadata-location\": \"" + file + "\", \"overwrite\": true}");
        assertThat(registered.statusCode()).as(registered.body()).isEqualTo(406);
        assertThat(registered.body()).contains("format version 4 is not supported");
        assertThat(metadata().get("format-version").asInt()).isEqualTo(3);
    }

    private static String statistics(long snapshot, String path) {
        return "{\"snapshot-id\": " + snapshot + ", \"statistics-path\": \"" + path
                + "\", \"file-size-in-bytes\": 413, \"file-footer-size-in-bytes\": 42, \"blob-metadata\": [{\"type\":"
                + " \"apache-datasketches-theta-v1\", \"snapshot-id\": " + snapshot
                + ", \"sequence-number\": 1, \"fields\": [1], \"properties\": {\"ndv\": \"3\"}}]}";
    }

    private static String partitionStatistics(long snapshot, String path) {
        return "{\"snapshot-id\": " + snapshot + ", \"statistics-path\": \"" + path + "\", \"file-size-in-bytes\": 7}";
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void statisticsAndPartitionStatisticsAreKeptThroughCommitsAndARestartUntilTheyAreRemoved(int version)
            throws Exception {
        Table table = created(version);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        long snapshot = table.currentSnapshot().snapshotId();
        String folderOfTable = table.location() + "/metadata/";
        HttpResponse<String> set = served.post(
                TABLE,
                commit("{\"action\": \"set-statistics\", \"snapshot-id\": " + snapshot + ", \"statistics\": "
                        + statistics(snapshot, folderOfTable + "one.puffin")
                        + "}, {\"action\": \"set-partition-statistics\", \"partition-statistics\": "
                        + partitionStatistics(snapshot, folderOfTable + "one.parquet") + "}"));
        assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
        table.refresh();
        table.newFastAppend().appendFile(ServedLake.file(table, 4)).commit();
        restart();
        JsonNode kept = metadata();
        assertThat(kept.get("statistics")).hasSize(1);
        assertThat(kept.get("statistics").get(0))
                .isEqualTo(JSON.readTree(statistics(snapshot, folderOfTable + "one.puffin")));
        assertThat(kept.get("partition-statistics")).hasSize(1);
        assertThat(kept.get("partition-statistics").get(0))
                .isEqualTo(JSON.readTree(partitionStatistics(snapshot, folderOfTable + "one.parquet")));
        HttpResponse<String> removed = served.post(
                TABLE,
                commit("{\"action\": \"remove-statistics\", \"snapshot-id\": " + snapshot
                        + "}, {\"action\": \"remove-partition-statistics\", \"snapshot-id\": " + snapshot + "}"));
        assertThat(removed.statusCode()).as(removed.body()).isEqualTo(200);
        assertThat(metadata().get("statistics")).isEmpty();
        assertThat(metadata().get("partition-statistics")).isEmpty();
    }

    @Test
    void statisticsOfASnapshotGoWithIt() {
        Table table = created(2);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        long first = table.currentSnapshot().snapshotId();
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        served.post(
                TABLE,
                commit("{\"action\": \"set-statistics\", \"statistics\": "
                        + statistics(first, table.location() + "/metadata/one.puffin") + "}"));
        assertThat(metadata().get("statistics")).hasSize(1);
        served.post(TABLE, commit("{\"action\": \"remove-snapshots\", \"snapshot-ids\": [" + first + "]}"));
        assertThat(metadata().get("statistics")).isEmpty();
    }
}
