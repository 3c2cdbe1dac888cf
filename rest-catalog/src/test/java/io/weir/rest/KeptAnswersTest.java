package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** Answers that are kept are those of the version that is asked for: each is asked for twice before and after a change. */
class KeptAnswersTest extends OnServedLake {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aLoadAfterACommitShowsIt() {
        Table table = catalog.createTable(READINGS, SCHEMA);
        for (int commits = 0; commits < 4; commits++) {
            String newest = commits == 0 ? "-1" : table.currentSnapshot().snapshotId() + "";
            for (int asked = 0; asked < 2; asked++) {
                assertThat(loaded("all").path("snapshots")).hasSize(commits);
                assertThat(loaded("refs").path("snapshots")).hasSize(Math.min(commits, 1));
                assertThat(loaded("refs").path("current-snapshot-id").asText()).isEqualTo(newest);
            }
            table.newFastAppend().appendFile(ServedLake.file(table, 1)).commit();
        }
    }

    @Test
    void aTableMadeAgainUnderItsNameIsTheNewOne() {
        catalog.createTable(READINGS, SCHEMA);
        String first = loaded("all").path("table-uuid").asText();
        catalog.dropTable(READINGS);
        catalog.createTable(READINGS, SCHEMA);
        assertThat(loaded("all").path("table-uuid").asText()).isNotEqualTo(first);
    }

    @Test
    void theLakeAtAnOlderVersionIsAnsweredAsItWas() {
        Table table = catalog.createTable(READINGS, SCHEMA);
        long before = served.version();
        table.newFastAppend().appendFile(ServedLake.file(table, 1)).commit();
        catalog.createTable(TableIdentifier.of("default", "later"), SCHEMA);
        for (int asked = 0; asked < 2; asked++) {
            assertThat(loaded("all").path("snapshots")).hasSize(1);
            assertThat(json("/v1/lake@" + before + "/namespaces/default/tables/readings")
                            .path("metadata")
                            .path("snapshots"))
                    .isEmpty();
            assertThat(names("lake", "default")).containsExactly("later", "readings");
            assertThat(names("lake@" + before, "default")).containsExactly("readings");
        }
    }

    @Test
    void aListingFollowsWhatComesGoesAndIsRenamed() {
        Namespace other = Namespace.of("other");
        catalog.createNamespace(other);
        assertThat(names("lake", "default")).isEmpty();
        assertThat(names("lake", "other")).isEmpty();
        catalog.createTable(READINGS, SCHEMA);
        catalog.createTable(TableIdentifier.of(other, "readings"), SCHEMA);
        assertThat(names("lake", "default")).containsExactly("readings");
        assertThat(names("lake", "other")).containsExactly("readings");
        assertThat(catalog.listTables(other)).containsExactly(TableIdentifier.of(other, "readings"));
        catalog.renameTable(READINGS, TableIdentifier.of(other, "more"));
        assertThat(names("lake", "default")).isEmpty();
        assertThat(names("lake", "other")).containsExactly("more", "readings");
        catalog.dropTable(TableIdentifier.of(other, "readings"));
        assertThat(names("lake", "other")).containsExactly("more");
    }

    @Test
    void pagesAreTheListingInParts() {
        List<String> all = List.of("a", "b", "c", "d", "e");
        all.forEach(name -> catalog.createTable(TableIdentifier.of("default", name), SCHEMA));
        for (int size = 1; size <= 6; size++) {
            List<String> paged = new ArrayList<>();
            String token = "";
            while (token != null) {
                JsonNode page = json("/v1/lake/namespaces/default/tables?pageSize=" + size + "&pageToken=" + token);
                page.path("identifiers")
                        .forEach(table -> paged.add(table.path("name").asText()));
                token = page.path("next-page-token").asText(null);
            }
            assertThat(paged).as("pages of " + size).isEqualTo(all);
        }
    }

    @Test
    void anAnswerIsKeptByIdentityAndContext() {
        Renderings<Object> renderings = new Renderings<>(1_000);
        Object one = new Object();
        String empty = renderings.json(
                one, Map.of(), () -> Json.write(ListTablesResponse.builder().build()));
        assertThat(renderings.json(one, Map.of(), () -> {
                    throw new AssertionError("made again");
                }))
                .isSameAs(empty);
        String other = Json.write(ListTablesResponse.builder().add(READINGS).build());
        assertThat(renderings.json(one, Map.of("a", "b"), () -> other)).contains("readings");
        assertThat(renderings.json(new Object(), Map.of(), () -> other)).contains("readings");
    }

    private JsonNode loaded(String snapshots) {
        return json("/v1/lake/namespaces/default/tables/readings?snapshots=" + snapshots)
                .path("metadata");
    }

    private List<String> names(String warehouse, String namespace) {
        List<String> names = new ArrayList<>();
        json("/v1/" + warehouse + "/namespaces/" + namespace + "/tables")
                .path("identifiers")
                .forEach(table -> {
                    assertThat(table.path("namespace").path(0).asText()).isEqualTo(namespace);
                    names.add(table.path("name").asText());
                });
        return names;
    }

    private JsonNode json(String path) {
        HttpResponse<String> response = served.get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
