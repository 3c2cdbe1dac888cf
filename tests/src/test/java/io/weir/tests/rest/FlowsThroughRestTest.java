package io.weir.tests.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.coordinator.TableEntry;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.LocalFileIO;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an outside engine meets when it writes to a table that views follow, or to a view: answers, and what stays as it was. */
class FlowsThroughRestTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TableIdentifier BRONZE = TableIdentifier.of("default", "bronze");
    private static final TableIdentifier GOLD = TableIdentifier.of("default", "gold");

    @TempDir
    private Path lake;

    private final HttpClient http = HttpClient.newHttpClient();
    private WeirServer server;
    private RESTCatalog catalog;

    @BeforeEach
    void serve() throws Exception {
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + lake.toUri()),
                        Setting.LISTEN, List.of("127.0.0.1:0"),
                        Setting.TABLE_DEFAULTS, List.of("owner=nobody", "lake:quality=raw", "other:quality=none"),
                        Setting.TABLE_OVERRIDES, List.of("lake:audited=yes"))));
        catalog = new RESTCatalog();
        catalog.initialize(
                "test",
                Map.of(
                        CatalogProperties.URI, server.url().toString(),
                        CatalogProperties.FILE_IO_IMPL, LocalFileIO.class.getName()));
        sql("CREATE TABLE bronze (site BIGINT, value BIGINT)");
        sql("CREATE MATERIALIZED VIEW silver (CONSTRAINT positive CHECK (value > 0)) AS SELECT * FROM bronze");
        sql("CREATE MATERIALIZED VIEW gold AS SELECT site, sum(value) AS total FROM silver GROUP BY site");
        sql("INSERT INTO bronze VALUES (1, 10)");
        catalog.loadTable(BRONZE)
                .updateProperties()
                .set("weir.extra-locations", lake.toUri().toString())
                .commit();
    }

    @AfterEach
    void stop() throws Exception {
        catalog.close();
        http.close();
        server.close();
    }

    @Test
    void tablesAreMadeWithTheLakesProperties() throws Exception {
        Map<String, String> asked = Map.of("quality", "fine", "audited", "no");
        Map<String, String> properties = catalog.buildTable(
                        TableIdentifier.of("default", "made"),
                        catalog.loadTable(BRONZE).schema())
                .withProperties(asked)
                .create()
                .properties();
        assertThat(properties)
                .containsEntry("owner", "nobody")
                .containsEntry("quality", "fine")
                .containsEntry("audited", "yes");
        HttpResponse<String> config = http.send(
                HttpRequest.newBuilder(server.url().resolve("/v1/config")).build(),
                HttpResponse.BodyHandlers.ofString());
        JsonNode told = JSON.readTree(config.body());
        assertThat(told.get("defaults").get("table-default.quality").asText()).isEqualTo("raw");
        assertThat(told.get("overrides").get("table-override.audited").asText()).isEqualTo("yes");
        // A client that does not look at what it is told.
        HttpResponse<String> bare = http.send(
                HttpRequest.newBuilder(server.url().resolve("/v1/lake/namespaces/default/tables"))
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"name\": \"bare\", \"schema\": {\"type\": \"struct\","
                                        + " \"fields\": []}, \"properties\": {\"audited\": \"no\"}}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(JSON.readTree(bare.body()).get("metadata").get("properties").toString())
                .contains("\"audited\":\"yes\"")
                .contains("\"quality\":\"raw\"");
    }

    @Test
    void whatClientsReportIsInScanMetrics() throws Exception {
        try (CloseableIterable<FileScanTask> tasks =
                catalog.loadTable(BRONZE).newScan().planFiles()) {
            assertThat(tasks).hasSize(1);
        }
        // Iceberg's client reports on a thread of its own.
        JsonNode scans = JSON.createArrayNode();
        for (int i = 0; i < 100 && scans.isEmpty(); i++) {
            Thread.sleep(100);
            scans = sql("SELECT schema, table_name, data_files FROM weir.scan_metrics WHERE report = 'scan'");
        }
        assertThat(scans.toString()).isEqualTo("[{\"schema\":\"default\",\"table_name\":\"bronze\",\"data_files\":1}]");
    }

    @Test
    void aLogicalViewIsListedBesideTheTablesAndGoesWithItsSchema() throws Exception {
        sql("CREATE SCHEMA reports");
        catalog.buildView(TableIdentifier.of("reports", "daily"))
                .withSchema(catalog.loadTable(BRONZE).schema())
                .withDefaultNamespace(BRONZE.namespace())
                .withQuery("spark", "SELECT * FROM bronze")
                .withQuery("trino", "SELECT * FROM bronze")
                .create();
        assertThat(sql("SELECT name, kind FROM weir.tables WHERE schema = 'reports'")
                        .toString())
                .isEqualTo("[{\"name\":\"daily\",\"kind\":\"view\"}]");
        sql("DROP SCHEMA reports CASCADE");
        assertThat(catalog.viewExists(TableIdentifier.of("reports", "daily"))).isFalse();
    }

    @Test
    void anAppendMovesEveryStageInItsOwnVersion() throws Exception {
        DataFile rows = written("(1, 5), (2, 7)");
        long before = version();
        catalog.loadTable(BRONZE).newFastAppend().appendFile(rows).commit();
        assertThat(version()).isEqualTo(before + 1);
        assertThat(sql("SELECT * FROM gold ORDER BY site"))
                .isEqualTo(JSON.readTree("[{\"site\": 1, \"total\": 15}, {\"site\": 2, \"total\": 7}]"));
    }

    @Test
    void onlyTheFlowWritesAView() throws Exception {
        DataFile rows = written("(3, 3)");
        Map<String, TableEntry> before = tables();
        Table gold = catalog.loadTable(GOLD);
        assertThatThrownBy(() -> gold.newFastAppend().appendFile(rows).commit())
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("default.gold is a materialized view")
                .hasMessageContaining("DETACH");
        assertThatThrownBy(() -> gold.updateSchema()
                        .addColumn("more", Types.LongType.get())
                        .commit())
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> catalog.dropTable(GOLD)).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> catalog.dropTable(BRONZE))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("followed by default.silver");
        assertThat(tables()).isEqualTo(before);
    }

    @Test
    void aCommitThatBreaksACheckIsRefusedForGoodAndNothingOfItStays() throws Exception {
        DataFile rows = written("(1, 5), (4, -4)");
        Map<String, TableEntry> before = tables();
        Table bronze = catalog.loadTable(BRONZE);
        assertThatThrownBy(() -> bronze.newFastAppend().appendFile(rows).commit())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("positive")
                .hasMessageContaining("silver");
        assertUnchanged(before);
    }

    @Test
    void aCorruptFileIsRefusedAndNothingOfItStays() throws Exception {
        Table bronze = catalog.loadTable(BRONZE);
        DataFile corrupt = named(bronze, "corrupt.parquet");
        Path file = Path.of(URI.create(corrupt.location()));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "PAR1 this is no Parquet file PAR1");
        Map<String, TableEntry> before = tables();
        assertThatThrownBy(() -> bronze.newFastAppend().appendFile(corrupt).commit())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("corrupt.parquet");
        assertUnchanged(before);
    }

    @Test
    void aFileThatIsNotThereIsRefusedAndNothingOfItStays() throws Exception {
        Table bronze = catalog.loadTable(BRONZE);
        DataFile missing = named(bronze, "missing.parquet");
        Map<String, TableEntry> before = tables();
        assertThatThrownBy(() -> bronze.newFastAppend().appendFile(missing).commit())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("missing.parquet");
        assertUnchanged(before);
    }

    private void assertUnchanged(Map<String, TableEntry> before) throws Exception {
        assertThat(tables()).isEqualTo(before);
        assertThat(sql("SELECT * FROM gold")).isEqualTo(JSON.readTree("[{\"site\": 1, \"total\": 10}]"));
        sql("INSERT INTO bronze VALUES (1, 1)");
        assertThat(sql("SELECT * FROM gold")).isEqualTo(JSON.readTree("[{\"site\": 1, \"total\": 11}]"));
    }

    private static DataFile named(Table table, String name) {
        return DataFiles.builder(table.spec())
                .withPath(table.location() + "/data/" + name)
                .withFileSizeInBytes(33)
                .withRecordCount(1)
                .build();
    }

    /** A Parquet file with the rows, in a table of its own. */
    private DataFile written(String rows) throws Exception {
        sql("CREATE TABLE feed (site BIGINT, value BIGINT)");
        sql("INSERT INTO feed VALUES " + rows);
        Table feed = catalog.loadTable(TableIdentifier.of("default", "feed"));
        try (CloseableIterable<FileScanTask> tasks = feed.newScan().planFiles()) {
            DataFile file = tasks.iterator().next().file();
            return DataFiles.builder(feed.spec())
                    .withPath(file.location())
                    .withFileSizeInBytes(file.fileSizeInBytes())
                    .withRecordCount(file.recordCount())
                    .build();
        }
    }

    private Map<String, TableEntry> tables() {
        return server.lakes().first().lake().state().tablesById();
    }

    private long version() {
        return server.lakes().first().lake().state().version().number();
    }

    private JsonNode sql(String statement) throws IOException, InterruptedException {
        Map<String, String> body = new HashMap<>();
        body.put("sql", statement);
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(server.url().resolve("/sql"))
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }
}
