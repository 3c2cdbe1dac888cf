package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlEndpointTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static WeirServer server;
    private static HttpClient http;

    @BeforeAll
    static void start() {
        http = HttpClient.newHttpClient();
        server = WeirServer.start(settings("127.0.0.1:0", "a=" + folder.resolve("a"), "b=" + folder.resolve("b")));
    }

    private static Settings settings(String listen, String... lakes) {
        return Settings.load(
                Optional.empty(), Map.of(), Map.of(Setting.LAKE, List.of(lakes), Setting.LISTEN, List.of(listen)));
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @Test
    void valuesAreWrittenAsTheContractSays() throws Exception {
        HttpResponse<String> answer = sql(
                "SELECT 9007199254740993 AS big, CAST(1.50 AS DECIMAL(5,2)) AS d, TIMESTAMP '2026-01-02 03:04:05' AS t,"
                        + " TIMESTAMPTZ '2026-01-02 03:04:05+00' AS tz, '\\x01\\xff'::BLOB AS b, NULL AS n, true AS f,"
                        + " [1, 2] AS l, {'a': 'x'} AS s, 1 AS n");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("[{\"big\":9007199254740993,\"d\":\"1.50\",\"t\":\"2026-01-02T03:04:05\","
                        + "\"tz\":\"2026-01-02T03:04:05Z\",\"b\":\"Af8=\",\"n\":null,\"f\":true,\"l\":[1,2],"
                        + "\"s\":{\"a\":\"x\"},\"n_1\":1}]");
    }

    @Test
    void theFormatIsChosenInTheQuery() throws Exception {
        String sql = "SELECT * FROM (VALUES (1, 'a,b'), (2, NULL), (3, '')) AS t(n, s)";

        assertThat(post("/sql?format=ndjson", body(sql)).body())
                .isEqualTo("{\"n\":1,\"s\":\"a,b\"}\n{\"n\":2,\"s\":null}\n{\"n\":3,\"s\":\"\"}\n");
        assertThat(post("/sql?format=csv", body(sql)).body()).isEqualTo("n,s\r\n1,\"a,b\"\r\n2,\r\n3,\"\"\r\n");
        assertError(post("/sql?format=xml", body(sql)), 400, "22023");
    }

    @Test
    void aLongAnswerIsWholeJson() throws Exception {
        JsonNode rows = JSON.readTree(
                sql("SELECT i, repeat('x', 20) AS s FROM range(100000) AS r(i)").body());

        assertThat(rows.size()).isEqualTo(100_000);
        assertThat(rows.path(99_999).path("i").asLong()).isEqualTo(99_999);
    }

    @Test
    void everyResponseCarriesTheVersion() throws Exception {
        long before = version(sql("SELECT 1"));
        HttpResponse<String> made = sql("CREATE TABLE versioned (id BIGINT)");

        assertThat(version(made)).isEqualTo(before + 1);
        assertThat(version(sql("SELECT nope"))).isEqualTo(before + 1);
        assertThat(version(get("/health/ready"))).isEqualTo(before + 1);
        assertThat(version(get("/v1/config"))).isEqualTo(before + 1);
        assertThat(version(get("/nothing"))).isEqualTo(before + 1);
    }

    @Test
    void lakesAreApart() throws Exception {
        post("/sql?lake=b", body("CREATE TABLE only_b (id BIGINT)"));

        assertThat(post("/sql?lake=b", body("SELECT * FROM only_b")).statusCode())
                .isEqualTo(200);
        assertError(sql("SELECT * FROM only_b"), 404, "42P01");
        assertError(post("/sql?lake=c", body("SELECT 1")), 400, "3D000");
    }

    @Test
    void aRequestThatIsNoneIsRefused() throws Exception {
        assertError(post("/sql", "{\"sql\": "), 400, "22023");
        assertError(post("/sql", ""), 400, "22023");
        assertError(post("/sql", "[]"), 400, "22023");
        assertError(post("/sql", "{\"sql\": 7}"), 400, "22023");
        assertError(post("/sql", "{\"sql\": \"SELECT 1\", \"parms\": {}}"), 400, "22023");
        assertError(post("/sql", "{\"sql\": \"SELECT 1\", \"params\": []}"), 400, "22023");
        assertError(post("/sql?at=x", body("SELECT 1")), 400, "22023");
        assertError(post("/sql", body("")), 400, "42601");
    }

    @Test
    void errorsHaveTheStatusOfTheirClass() throws Exception {
        sql("CREATE TABLE classes (id BIGINT)");

        assertError(sql("SELEC 1"), 400, "42601");
        assertError(sql("SELECT " + "(".repeat(900) + "1" + "+1)".repeat(900)), 400, "42601");
        assertError(sql("SELECT " + "(".repeat(90_000)), 400, "42601");
        assertError(sql("SELECT * FROM nope"), 404, "42P01");
        assertError(sql("SELECT nope FROM classes"), 400, "42703");
        assertError(sql("CREATE TABLE classes (id BIGINT)"), 409, "42P07");
        assertError(sql("MERGE INTO classes USING x ON true"), 501, "0A000");
        assertError(sql("SELECT * FROM read_text('/etc/passwd')"), 403, "42501");
        assertError(sql("COPY classes TO '/tmp/x'"), 501, "0A000");
        assertError(get("/nothing"), 404, "42704");
    }

    @Test
    void aParameterIsGivenByName() throws Exception {
        HttpResponse<String> answer = post(
                "/sql",
                "{\"sql\": \"SELECT $a AS a, $b AS b, $c AS c\", \"params\": {\"a\": \"it's\", \"b\": 2, \"c\": null}}");

        assertThat(answer.body()).isEqualTo("[{\"a\":\"it's\",\"b\":2,\"c\":null}]");
    }

    @Test
    void metricsAreInPrometheusText() throws Exception {
        String metrics = get("/metrics").body();

        assertThat(metrics).contains("# TYPE weir_http_requests_total counter", "weir_lake_version{lake=\"a\"} ");
    }

    @Test
    void anAddressOtherThanTheLoopbackNeedsToBeAskedForTwice() {
        assertThatThrownBy(() -> WeirServer.start(settings("0.0.0.0:0", "x=" + folder.resolve("x"))))
                .hasMessageContaining("listening on 0.0.0.0 without authentication");
    }

    @Test
    void aPortThatIsTakenIsSaidPlainly() {
        String taken = "127.0.0.1:" + server.url().getPort();

        assertThatThrownBy(() -> WeirServer.start(settings(taken, "x=" + folder.resolve("x"))))
                .hasMessageContaining("cannot listen on " + taken);
    }

    private static String body(String sql) throws IOException {
        return JSON.writeValueAsString(Map.of("sql", sql));
    }

    private static HttpResponse<String> sql(String sql) throws Exception {
        return post("/sql", body(sql));
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(server.url().resolve(path))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(server.url().resolve(path)).build(), BodyHandlers.ofString());
    }

    private static long version(HttpResponse<String> answer) {
        return answer.headers().firstValueAsLong("X-Weir-Version").orElseThrow();
    }

    private static void assertError(HttpResponse<String> answer, int status, String code) throws IOException {
        assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(JSON.readTree(answer.body()).path("error").path("message").asText())
                .isNotBlank();
    }
}
