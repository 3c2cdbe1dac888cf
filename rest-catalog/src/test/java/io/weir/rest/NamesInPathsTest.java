package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of any letters, and what separates the levels of a namespace, in paths. */
class NamesInPathsTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final String NAMESPACES = "/v1/lake/namespaces";

    /** Names that some part of a server likes to take for something else. */
    private static final List<String> NAMES = List.of(
            "a b", "ü€😀", "a/b", "a%b", "a%2Fb", "%1F", "%zz", "a+b", "a;b", "..", "A", "a&b=c", "a?b#c", "a,b");

    @TempDir
    Path folder;

    private static ServedLake with(Path folder, String separator) {
        return ServedLake.in(folder, options -> options.withNamespaceSeparator(NamespaceSeparator.parse(separator)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%1F", ".", "%2E", "::", "%24"})
    void namesOfAnyLettersWorkWhateverTheSeparator(String separator) throws Exception {
        try (ServedLake served = with(folder, separator);
                RESTCatalog catalog = served.catalog()) {
            for (String name : NAMES) {
                if (name.equals("..") && !separator.equals("%1F")) {
                    continue; // has the separator in it
                }
                Namespace outer = Namespace.of(name);
                Namespace inner = Namespace.of(name, "in " + name);
                catalog.createNamespace(outer);
                catalog.createNamespace(inner, new HashMap<>(Map.of("a", "b")));
                catalog.createTable(TableIdentifier.of(inner, name), SCHEMA);
                assertThat(catalog.listNamespaces(outer)).as(name).containsExactly(inner);
                assertThat(catalog.loadNamespaceMetadata(inner)).as(name).containsEntry("a", "b");
                assertThat(catalog.listTables(inner)).as(name).containsExactly(TableIdentifier.of(inner, name));
                assertThat(catalog.tableExists(TableIdentifier.of(inner, name)))
                        .as(name)
                        .isTrue();
            }
            assertThat(catalog.listNamespaces()).hasSize(separator.equals("%1F") ? NAMES.size() + 1 : NAMES.size());
        }
    }

    @Test
    void theSeparatorIsAdvertisedAndBothItAndTheUnitSeparatorAreUnderstood() {
        try (ServedLake served = with(folder, ".")) {
            assertThat(ServedLake.json(served.get("/v1/config"))
                            .at("/overrides/namespace-separator")
                            .asText())
                    .isEqualTo("%2E");
            served.post(NAMESPACES, "{\"namespace\": [\"a\"]}");
            served.post(NAMESPACES, "{\"namespace\": [\"a\", \"b\"]}");
            served.post(NAMESPACES, "{\"namespace\": [\"a\", \"b\", \"c\"]}");
            for (String path : List.of("a.b.c", "a%2Eb%2Ec", "a%1Fb%1Fc")) {
                assertThat(served.get(NAMESPACES + "/" + path).statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
            for (String parent : List.of("a.b", "a%1Fb")) {
                assertThat(served.get(NAMESPACES + "?parent=" + parent).body())
                        .as(parent)
                        .contains("[\"a\",\"b\",\"c\"]");
            }
        }
    }

    @Test
    void byDefaultADotIsPartOfAName() {
        try (ServedLake served = ServedLake.in(folder)) {
            assertThat(ServedLake.json(served.get("/v1/config"))
                            .at("/overrides/namespace-separator")
                            .asText())
                    .isEqualTo("%1F");
            assertThat(served.post(NAMESPACES, "{\"namespace\": [\"a.b\"]}").statusCode())
                    .isEqualTo(200);
            assertThat(served.get(NAMESPACES + "/a.b").body()).contains("[\"a.b\"]");
            assertThat(served.get(NAMESPACES + "/a%1Fb").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aNewLevelWithTheSeparatorInItIsRefusedAndAnOldOneIsStillFound() {
        try (ServedLake before = ServedLake.in(folder)) {
            before.post(NAMESPACES, "{\"namespace\": [\"old.one\"]}");
            before.post(NAMESPACES, "{\"namespace\": [\"old.one\", \"in.it\"]}");
        }
        try (ServedLake served = with(folder, ".")) {
            HttpResponse<String> made = served.post(NAMESPACES, "{\"namespace\": [\"new.one\"]}");
            assertThat(made.statusCode()).isEqualTo(400);
            assertThat(made.body()).contains("which separates levels in paths");
            assertThat(served.get(NAMESPACES + "/old.one").body()).contains("[\"old.one\"]");
            assertThat(served.get(NAMESPACES + "/old.one%1Fin.it").body()).contains("[\"old.one\",\"in.it\"]");
        }
    }

    @Test
    void aSeparatorThatNamesOrPathsAreMadeOfIsRefused() {
        for (String separator : List.of("", "a", "%2F", "%25", "%20", ",", "1")) {
            assertThatThrownBy(() -> NamespaceSeparator.parse(separator))
                    .as(separator)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/lake/namespaces/%zz",
                "/v1/lake/namespaces/a%",
                "/v1/lake/namespaces/a%1",
                "/v1/lake/namespaces/default/tables/%g0",
                "/v1/lake/namespaces/%C3%28",
                "/v1/lake/namespaces/%ff/tables",
                "/v1/%zz/namespaces"
            })
    void malformedEncodingInAPathIsABadRequestInTheErrorModel(String path) throws Exception {
        try (ServedLake served = ServedLake.in(folder)) {
            for (String method : List.of("GET", "DELETE")) {
                String answer = served.raw(method, path);
                assertThat(answer).startsWith("HTTP/1.1 400 ").containsIgnoringCase("content-type: application/json");
                var error = new ObjectMapper()
                        .readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4))
                        .get("error");
                assertThat(error.get("code").asInt()).isEqualTo(400);
                assertThat(error.get("type").asText()).isEqualTo("BadRequestException");
                assertThat(error.get("message").asText()).isNotEmpty();
            }
        }
    }

    @Test
    void aMalformedQueryIsABadRequestInTheErrorModel() {
        try (ServedLake served = ServedLake.in(folder)) {
            assertThat(served.raw("GET", "/v1/lake/namespaces?parent=%zz"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("\"code\":400");
        }
    }

    @Test
    void aNameIsGivenBackAsItWasEncoded() {
        try (ServedLake served = ServedLake.in(folder)) {
            for (String name : NAMES) {
                String path = NAMESPACES + "/"
                        + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
                assertThat(served.get(path).body()).as(name).contains("Namespace does not exist: ");
            }
        }
    }
}
