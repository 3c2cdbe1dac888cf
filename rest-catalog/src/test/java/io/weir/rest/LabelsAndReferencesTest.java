package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Labels;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SupportsLabels;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about a table or view beside its metadata, and the views through which it is loaded. */
class LabelsAndReferencesTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of(Namespace.of("plant", "meters"), "readings");
    private static final String NAMESPACE = "/v1/lake/namespaces/plant%1Fmeters";
    private static final String TABLE = NAMESPACE + "/tables/readings";

    @TempDir
    Path folder;

    private ServedLake served;
    private RESTCatalog catalog;

    @BeforeEach
    void serve() {
        served = ServedLake.in(
                folder, options -> options.withLabels(lake -> Map.of("owner", "everyone", "site", "north")));
        catalog = served.catalog();
        post(
                "/v1/lake/namespaces",
                "{\"namespace\": [\"plant\"], \"properties\": {\"weir.label.owner\": \"plant\", \"weir.label.tier\":"
                        + " \"2\", \"weir.label.\": \"nothing\", \"other\": \"x\"}}");
        post(
                "/v1/lake/namespaces",
                "{\"namespace\": [\"plant\", \"meters\"], \"properties\": {\"weir.label.tier\": \"1\"}}");
    }

    @AfterEach
    void stop() throws Exception {
        catalog.close();
        served.close();
    }

    private void post(String path, String body) {
        HttpResponse<String> answer = served.post(path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private JsonNode labels(String path) {
        return ServedLake.json(served.get(path)).get("labels");
    }

    @Test
    void labelsComeFromTheLakeItsNamespacesAndTheTableTheNearestFirst() {
        catalog.buildTable(READINGS, SCHEMA)
                .withProperty("weir.label.domain", "energy")
                .withProperty("weir.field-label.1.class", "pii")
                .withProperty("weir.field-label.1.unit", "kWh")
                .withProperty("weir.field-label.x.class", "nothing")
                .create();
        assertThat(labels(TABLE))
                .hasToString(
                        "{\"object-labels\":{\"domain\":\"energy\",\"owner\":\"plant\",\"site\":\"north\","
                                + "\"tier\":\"1\"},\"fields\":[{\"field-id\":1,\"labels\":{\"class\":\"pii\",\"unit\":\"kWh\"}}]}");
    }

    @Test
    void icebergsClientHasThemAndTheTablesMetadataHasNot() {
        catalog.createTable(READINGS, SCHEMA);
        Table table = catalog.loadTable(READINGS);
        Labels labels = ((SupportsLabels) table).labels();
        assertThat(labels.objectLabels()).isEqualTo(Map.of("owner", "plant", "site", "north", "tier", "1"));
        assertThat(ServedLake.json(served.get(TABLE)).get("metadata").toString())
                .doesNotContain("north")
                .doesNotContain("tier");
    }

    @Test
    void viewsHaveLabelsToo() {
        post(NAMESPACE + "/views", ServedLake.view("v", "\"weir.label.owner\": \"me\""));
        assertThat(labels(NAMESPACE + "/views/v"))
                .hasToString("{\"object-labels\":{\"owner\":\"me\",\"site\":\"north\",\"tier\":\"1\"}}");
    }

    @Test
    void whereNothingIsSaidThereIsNoFieldForIt() throws Exception {
        catalog.close();
        served.close();
        served = ServedLake.in(folder);
        catalog = served.catalog();
        catalog.createTable(TableIdentifier.of("default", "t"), SCHEMA);
        assertThat(ServedLake.json(served.get("/v1/lake/namespaces/default/tables/t"))
                        .has("labels"))
                .isFalse();
    }

    @Test
    void aTableWhoseLabelsChangedIsSentAgain() {
        catalog.createTable(READINGS, SCHEMA);
        String tag = served.get(TABLE).headers().firstValue("ETag").orElseThrow();
        assertThat(served.get(TABLE, "If-None-Match", tag).statusCode()).isEqualTo(304);
        post(NAMESPACE + "/properties", "{\"removals\": [], \"updates\": {\"weir.label.tier\": \"0\"}}");
        HttpResponse<String> changed = served.get(TABLE, "If-None-Match", tag);
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.body()).contains("\"tier\":\"0\"");
    }

    private List<TableIdentifier> referencedBy(String query) {
        return ReferencedBy.of(
                "a=b&referenced-by=" + query + "&c=d",
                NamespaceSeparator.UNIT,
                served.lake().state());
    }

    private static TableIdentifier view(String... parts) {
        return TableIdentifier.of(parts);
    }

    @Test
    void theViewsOfAChainAreReadInTheirOrder() {
        assertThat(referencedBy("prod%1Fanalytics%1Fquarterly,prod%1Fanalytics%1Fmonthly"))
                .containsExactly(view("prod", "analytics", "quarterly"), view("prod", "analytics", "monthly"));
        assertThat(referencedBy("ns%1Fwith%2Ccomma,ns%1Fb%20c%25"))
                .containsExactly(view("ns", "with,comma"), view("ns", "b c%"));
        assertThat(referencedBy("")).isEmpty();
        assertThat(ReferencedBy.of(null, NamespaceSeparator.UNIT, served.lake().state()))
                .isEmpty();
        assertThat(ReferencedBy.of(
                        "referenced-by=a.b.v,a%1Fb%1Fw.x",
                        NamespaceSeparator.parse("."), served.lake().state()))
                .containsExactly(view("a", "b", "v"), view("a", "b", "w.x"));
    }

    /** As HTTP libraries encode a parameter: the commas between views too. */
    @Test
    void aChainThatWasEncodedAsAWholeIsReadByTheViewsThereAre() {
        post(NAMESPACE + "/views", ServedLake.view("v", ""));
        post(NAMESPACE + "/views", ServedLake.view("w", ""));
        assertThat(referencedBy("plant%251Fmeters%251Fv%2Cplant%251Fmeters%251Fw"))
                .containsExactly(view("plant", "meters", "v"), view("plant", "meters", "w"));
        assertThat(referencedBy("plant%1Fmeters%1Fv%2Cplant%1Fmeters%1Fw"))
                .containsExactly(view("plant", "meters", "v"), view("plant", "meters", "w"));
    }

    @Test
    void whatIsNoViewIsABadRequestOnTablesAndViews() {
        catalog.createTable(READINGS, SCHEMA);
        post(NAMESPACE + "/views", ServedLake.view("v", ""));
        for (String path : List.of(TABLE, NAMESPACE + "/views/v")) {
            for (String chain : List.of("v", "%1Fv", "a%1F", "a%1Fv,", ",", "a%1F%1Fv")) {
                HttpResponse<String> answer = served.get(path + "?referenced-by=" + chain);
                assertThat(answer.statusCode()).as(chain).isEqualTo(400);
                assertThat(answer.body()).contains("referenced-by");
            }
            assertThat(served.get(path + "?referenced-by=gone%1Fview").statusCode())
                    .isEqualTo(200);
        }
        assertThatThrownBy(() -> referencedBy("a%1Fv&referenced-by=a%1Fw")).hasMessageContaining("twice");
    }

    @Test
    void theChainIsNotedForWhoeverLooksAtTheRequestAfterIt() {
        catalog.createTable(READINGS, SCHEMA);
        served.get(TABLE + "?referenced-by=a%1Fv,b%1Fw");
        served.get(TABLE);
        assertThat(served.references()).containsExactly(List.of(view("a", "v"), view("b", "w")));
    }
}
