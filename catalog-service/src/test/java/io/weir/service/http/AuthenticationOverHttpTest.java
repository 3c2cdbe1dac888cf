package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationOverHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String READER = "Bearer reader-token";
    private static final String WRITER = "Bearer writer-token";

    @TempDir
    static Path folder;

    private static WeirServer server;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        http = HttpClient.newHttpClient();
        server = WeirServer.start(settings("127.0.0.1:0", "lake"));
        assertThat(sql(WRITER, "CREATE TABLE t (id BIGINT)").statusCode()).isEqualTo(200);
    }

    private static Settings settings(String listen, String lake) {
        return Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + folder.resolve(lake)),
                        Setting.LISTEN, List.of(listen),
                        Setting.AUTH_TOKENS,
                                List.of("reader:read:reader-token", "writer:write:writer-token", "boss:admin:b-token"),
                        Setting.AUTH_CLIENTS, List.of("job:write:s3+cret/=%", "report:read:other")));
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/config", "/v1/lake/namespaces", "/v1/nothing", "/v1"})
    void withoutATokenTheCatalogAnswersAsIcebergWants(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path, null, "");

        assertThat(answer.statusCode()).isEqualTo(401);
        JsonNode error = JSON.readTree(answer.body()).path("error");
        assertThat(error.path("type").asText()).isEqualTo("NotAuthorizedException");
        assertThat(error.path("code").asInt()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/nothing", "/health", "/health/live/../../metrics", "//v1/config"})
    void withoutATokenNothingElseIsAnsweredEither(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path, null, "");

        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 401);
        assertThat(answer.body()).doesNotContain("weir_lake_version");
    }

    @Test
    void withoutATokenSqlAnswersWithItsOwnError() throws Exception {
        HttpResponse<String> answer = sql(null, "DROP TABLE t");

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(code(answer)).isEqualTo("28000");
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(answer.headers().firstValue("X-Weir-Version")).isPresent();
        assertThat(sql(WRITER, "SELECT * FROM t").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer nope",
                "Bearer ",
                "Bearer",
                "Basic cmVhZGVyOnJlYWRlci10b2tlbg==",
                "reader-token",
                "Bearer a.b.c"
            })
    void aTokenNobodyHasIsNone(String authorization) throws Exception {
        assertThat(sql(authorization, "SELECT 1").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/v1/config", authorization, "").statusCode()).isEqualTo(401);
        assertThat(send("HEAD", "/v1/lake/namespaces/default", authorization, "")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aWrongTokenIsSaidToBeInvalid() throws Exception {
        assertThat(sql("Bearer nope", "SELECT 1").headers().firstValue("WWW-Authenticate"))
                .contains("Bearer error=\"invalid_token\"");
    }

    @Test
    void refusalsAreCountedLikeOtherAnswers() throws Exception {
        long before = requests();
        sql(null, "SELECT 1");

        assertThat(requests()).isEqualTo(before + 2);
    }

    private static long requests() throws Exception {
        return send("GET", "/metrics", READER, "")
                .body()
                .lines()
                .filter(line -> line.startsWith("weir_http_requests_total{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void theSchemesCaseDoesNotMatter() throws Exception {
        assertThat(sql("bearer reader-token", "SELECT 1").statusCode()).isEqualTo(200);
    }

    @Test
    void healthIsForEveryone() throws Exception {
        assertThat(send("GET", "/health/live", null, "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/health/ready", null, "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/health/ready", "Bearer nope", "").statusCode()).isEqualTo(200);
    }

    @Test
    void anAddressOtherThanTheLoopbackIsAllowedToThoseWhoAsk() throws Exception {
        try (WeirServer open = WeirServer.start(settings("0.0.0.0:0", "everywhere"))) {
            HttpRequest request =
                    HttpRequest.newBuilder(open.url().resolve("/v1/config")).build();
            assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
        }
    }

    /** All that is advertised: a warehouse frozen at a version advertises what reads. */
    @Test
    void theRoleReadMayCallWhatReadsAndNothingElse() throws Exception {
        List<String> all = endpoints("/v1/config");
        List<String> reading = endpoints("/v1/config?warehouse=lake@1");
        assertThat(all).hasSizeGreaterThan(20);
        assertThat(reading).contains("GET /v1/{prefix}/namespaces").isSubsetOf(all);
        for (String endpoint : all) {
            String[] parts = endpoint.split(" ", 2);
            String path = parts[1].replace("{prefix}", "lake").replaceAll("\\{[a-z-]+}", "nope");
            HttpResponse<String> asReader = send(parts[0], path, READER, "{}");
            HttpResponse<String> asWriter = send(parts[0], path, WRITER, "{}");
            if (reading.contains(endpoint)) {
                assertThat(asReader.statusCode()).as(endpoint).isNotIn(401, 403);
            } else {
                assertThat(asReader.statusCode()).as(endpoint).isEqualTo(403);
                assertThat(JSON.readTree(asReader.body())
                                .path("error")
                                .path("type")
                                .asText())
                        .isEqualTo("ForbiddenException");
                assertThat(asReader.body()).contains("reader may only read");
            }
            assertThat(asWriter.statusCode()).as(endpoint).isNotIn(401, 403);
        }
    }

    private static List<String> endpoints(String path) throws Exception {
        var endpoints = new ArrayList<String>();
        JSON.readTree(send("GET", path, READER, "").body())
                .path("endpoints")
                .forEach(endpoint -> endpoints.add(endpoint.asText()));
        return endpoints;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*) AS n FROM t",
                "WITH x AS (SELECT 1 AS n) SELECT * FROM x",
                "FROM t",
                "(SELECT 1)",
                "VALUES (1)",
                "EXPLAIN SELECT * FROM t",
                "SHOW TABLES",
                "SHOW SCHEMAS",
                "DESCRIBE t",
                "DESCRIBE SELECT 1",
                "SELECT 'DROP TABLE t; INSERT' AS text",
                "SELECT author FROM weir.commits",
                "BEGIN; SELECT 1; COMMIT",
                "BEGIN; SELECT 1; ROLLBACK",
                "SELECT 1; ; SELECT 2"
            })
    void theRoleReadMayRunWhatChangesNothing(String sql) throws Exception {
        HttpResponse<String> answer = sql(READER, sql);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (1)",
                "  /* SELECT */ insert into t select 1",
                "-- SELECT\nUPDATE t SET id = 2",
                "DELETE FROM t",
                "SELECT 1; DELETE FROM t",
                "DELETE FROM t; SELECT 1",
                "BEGIN; INSERT INTO t VALUES (1); COMMIT",
                "BEGIN; INSERT INTO t VALUES (1); ROLLBACK",
                "CREATE TABLE made (id BIGINT)",
                "CREATE TABLE made AS SELECT * FROM t",
                "CREATE OR REPLACE TABLE t (id BIGINT)",
                "CREATE TABLE IF NOT EXISTS t (id BIGINT)",
                "DROP TABLE t",
                "DROP TABLE IF EXISTS nope",
                "UNDROP TABLE t",
                "ALTER TABLE t ADD COLUMN more BIGINT",
                "CREATE SCHEMA made",
                "DROP SCHEMA \"default\" CASCADE",
                "CREATE MATERIALIZED VIEW made AS SELECT * FROM t",
                "ALTER MATERIALIZED VIEW made SUSPEND",
                "REFRESH MATERIALIZED VIEW made",
                "DROP MATERIALIZED VIEW IF EXISTS made"
            })
    void theRoleReadMayRunNothingThatChangesSomething(String sql) throws Exception {
        long before = version();
        HttpResponse<String> answer = sql(READER, sql);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
        assertThat(code(answer)).isEqualTo("42501");
        assertThat(version()).isEqualTo(before);
    }

    /** Refused as what they are, whatever the role: these texts are no statements that read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH x AS (DELETE FROM t RETURNING id) SELECT * FROM x",
                "EXPLAIN ANALYZE DELETE FROM t",
                "EXPLAIN DELETE FROM t",
                "(DELETE FROM t)",
                "SELECT 1 UNION ALL DELETE FROM t",
                "COPY t TO '/tmp/x'",
                "SELECT * FROM query('DELETE FROM t')"
            })
    void aChangeCannotBeHiddenInAQuery(String sql) throws Exception {
        long before = version();

        assertThat(sql(READER, sql).statusCode()).isGreaterThanOrEqualTo(400);
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void aParameterIsNoWayAroundTheRole() throws Exception {
        long before = version();
        String body = "{\"sql\": \"SELECT $a AS a\", \"params\": {\"a\": \"'; DELETE FROM t; --\"}}";

        assertThat(send("POST", "/sql", READER, body).statusCode()).isEqualTo(200);
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void theAuthorOfACommitIsItsPrincipal() throws Exception {
        sql(WRITER, "CREATE TABLE authors (id BIGINT)");
        sql(WRITER, "INSERT INTO authors VALUES (1)");
        sql("Bearer b-token", "INSERT INTO authors VALUES (2)");
        sql("Bearer " + token("job", "s3+cret/=%"), "INSERT INTO authors VALUES (3)");

        JsonNode commits = JSON.readTree(sql(
                        READER,
                        "SELECT author FROM weir.commits WHERE table_name LIKE '%authors' AND added_rows > 0"
                                + " ORDER BY version")
                .body());
        assertThat(commits.findValuesAsText("author")).containsExactly("writer", "boss", "job");
    }

    @Test
    void aClientGetsATokenForItsSecret() throws Exception {
        HttpResponse<String> answer = grant(
                null,
                "grant_type",
                "client_credentials",
                "client_id",
                "job",
                "client_secret",
                "s3+cret/=%",
                "scope",
                "catalog");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode fields = JSON.readTree(answer.body());
        assertThat(fields.path("token_type").asText()).isEqualTo("bearer");
        assertThat(fields.path("issued_token_type").asText())
                .isEqualTo("urn:ietf:params:oauth:token-type:access_token");
        assertThat(fields.path("expires_in").asInt()).isEqualTo(3600);
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        String bearer = "Bearer " + fields.path("access_token").asText();
        assertThat(sql(bearer, "INSERT INTO t VALUES (7)").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/v1/config", bearer, "").statusCode()).isEqualTo(200);
    }

    @Test
    void aClientsTokenHasItsRole() throws Exception {
        assertThat(sql("Bearer " + token("report", "other"), "SELECT 1").statusCode())
                .isEqualTo(200);
        assertThat(sql("Bearer " + token("report", "other"), "DELETE FROM t").statusCode())
                .isEqualTo(403);
    }

    @Test
    void theSecretMayComeByBasicEncodedOrNot() throws Exception {
        String encoded = URLEncoder.encode("s3+cret/=%", StandardCharsets.UTF_8);

        assertThat(grant(basic("job:s3+cret/=%"), "grant_type", "client_credentials")
                        .statusCode())
                .isEqualTo(200);
        assertThat(grant(basic("job:" + encoded), "grant_type", "client_credentials")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aClientThatDoesNotProveWhoItIsGetsNothing() throws Exception {
        assertRefused(grant(null, "grant_type", "client_credentials"), 401, "invalid_client");
        assertRefused(clientGrant("job", "wrong"), 401, "invalid_client");
        assertRefused(clientGrant("report", "s3+cret/=%"), 401, "invalid_client");
        assertRefused(clientGrant("", "other"), 401, "invalid_client");
        assertRefused(clientGrant("reader", "reader-token"), 401, "invalid_client");
        for (String header : List.of(basic("job:wrong"), basic("job"), "Basic ???", basic("job:%zz"))) {
            assertRefused(grant(header, "grant_type", "client_credentials"), 401, "invalid_client");
        }
        assertThat(clientGrant("job", "wrong").headers().firstValue("WWW-Authenticate"))
                .contains("Basic realm=\"weir\"");
    }

    @Test
    void aRequestForATokenThatIsNoneIsRefused() throws Exception {
        assertRefused(grant(null), 400, "invalid_request");
        assertRefused(grant(null, "grant_type", ""), 400, "invalid_request");
        assertRefused(grant(null, "grant_type", "password"), 400, "unsupported_grant_type");
        assertRefused(grant(null, "grant_type", EXCHANGE), 400, "invalid_request");
        assertRefused(
                grant(null, "grant_type", "client_credentials", "client_secret", "a", "client_secret", "b"),
                400,
                "invalid_request");
        assertRefused(form(null, "grant_type=%zz"), 400, "invalid_request");
    }

    @Test
    void aTokenIsExchangedForANewOneOfTheSameOwner() throws Exception {
        HttpResponse<String> renewed = exchange(null, token("report", "other"));
        assertThat(renewed.statusCode()).as(renewed.body()).isEqualTo(200);
        String bearer = "Bearer " + accessToken(renewed);

        assertThat(sql(bearer, "SELECT 1").statusCode()).isEqualTo(200);
        assertThat(sql(bearer, "DELETE FROM t").body()).contains("report may only read");
        assertThat(sql("Bearer " + accessToken(exchange(null, "writer-token")), "INSERT INTO t VALUES (8)")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aTokenThatIsNoGoodIsExchangedOnlyForItsClientItself() throws Exception {
        assertRefused(exchange(null, "e30.e30.e30"), 400, "invalid_request");
        assertRefused(exchange("Bearer e30.e30.e30", "e30.e30.e30"), 400, "invalid_request");
        assertRefused(exchange(basic("report:wrong"), "e30.e30.e30"), 401, "invalid_client");
        HttpResponse<String> renewed = exchange(basic("report:other"), "e30.e30.e30");

        assertThat(sql("Bearer " + accessToken(renewed), "DELETE FROM t").body())
                .contains("report may only read");
    }

    private static HttpResponse<String> exchange(String authorization, String subject) throws Exception {
        return grant(
                authorization,
                "grant_type",
                EXCHANGE,
                "subject_token",
                subject,
                "subject_token_type",
                "urn:ietf:params:oauth:token-type:access_token");
    }

    private static String token(String client, String secret) throws Exception {
        return accessToken(clientGrant(client, secret));
    }

    private static String accessToken(HttpResponse<String> answer) throws Exception {
        return JSON.readTree(answer.body()).path("access_token").asText();
    }

    private static HttpResponse<String> clientGrant(String client, String secret) throws Exception {
        return grant(null, "grant_type", "client_credentials", "client_id", client, "client_secret", secret);
    }

    private static HttpResponse<String> grant(String authorization, String... fields) throws Exception {
        List<String> encoded = Stream.of(fields)
                .map(text -> URLEncoder.encode(text, StandardCharsets.UTF_8))
                .toList();
        var body = new StringBuilder();
        for (int i = 0; i < encoded.size(); i += 2) {
            body.append(i == 0 ? "" : "&").append(encoded.get(i)).append('=').append(encoded.get(i + 1));
        }
        return form(authorization, body.toString());
    }

    private static HttpResponse<String> form(String authorization, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.url().resolve("/v1/oauth/tokens"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static String basic(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String error) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(JSON.readTree(answer.body()).path("error").asText()).isEqualTo(error);
        assertThat(JSON.readTree(answer.body()).path("error_description").asText())
                .isNotBlank();
    }

    private static long version() {
        return server.lakes().first().lake().state().version().number();
    }

    private static String code(HttpResponse<String> answer) throws Exception {
        return JSON.readTree(answer.body()).path("error").path("code").asText();
    }

    private static HttpResponse<String> sql(String authorization, String sql) throws Exception {
        return send("POST", "/sql", authorization, JSON.writeValueAsString(Map.of("sql", sql)));
    }

    private static HttpResponse<String> send(String method, String path, String authorization, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
