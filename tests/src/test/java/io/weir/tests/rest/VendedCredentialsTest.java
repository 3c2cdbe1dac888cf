package io.weir.tests.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.tests.fixtures.Fixtures;
import io.weir.tests.fixtures.S3Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Credentials from a real token service, MinIO's: what they let a client do, and what not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VendedCredentialsTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final String WRITER = "writer-token-of-these-tests";
    private static final String READER = "reader-token-of-these-tests";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private S3Server minio;
    private WeirServer weir;
    private RESTCatalog catalog;
    private Table readings;
    private Table secrets;

    /** Before each, once: a class that cannot start would count as nothing, its tests count as skipped. */
    @BeforeEach
    void start() {
        if (secrets != null) {
            return;
        }
        minio = Fixtures.orSkip(() -> S3Server.start(S3Server.Kind.MINIO));
        weir = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + minio.lake("root")),
                        Setting.LISTEN, List.of("127.0.0.1:0"),
                        Setting.S3_ENDPOINT, List.of(minio.endpoint().toString()),
                        Setting.S3_ACCESS_KEY_ID, List.of(minio.accessKey()),
                        Setting.S3_SECRET_ACCESS_KEY, List.of(minio.secretKey()),
                        Setting.STS_ROLE_ARN, List.of("arn:aws:iam::000000000000:role/clients"),
                        Setting.STS_ENDPOINT, List.of(minio.endpoint().toString()),
                        Setting.STS_DURATION, List.of("15 minutes"),
                        Setting.AUTH_TOKENS, List.of("ann:write:" + WRITER, "bob:read:" + READER))));
        catalog = new RESTCatalog();
        catalog.initialize(
                "test",
                Map.of(
                        "uri",
                        weir.url().toString(),
                        "warehouse",
                        "lake",
                        "token",
                        WRITER,
                        "header.X-Iceberg-Access-Delegation",
                        "vended-credentials",
                        "io-impl",
                        "org.apache.iceberg.aws.s3.S3FileIO"));
        readings = catalog.createTable(TableIdentifier.of("default", "readings"), SCHEMA);
        secrets = catalog.createTable(TableIdentifier.of("default", "secrets"), SCHEMA);
    }

    @AfterAll
    void stop() throws Exception {
        if (minio != null) {
            catalog.close();
            weir.close();
            minio.close();
        }
        http.close();
    }

    private HttpResponse<String> get(String path, String token, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(weir.url() + path)).header("Authorization", "Bearer " + token);
        return http.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode credential(String table, String token) throws Exception {
        HttpResponse<String> answer = get("/v1/lake/namespaces/default/tables/" + table + "/credentials", token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).at("/storage-credentials/0");
    }

    private S3Client with(JsonNode credential) {
        JsonNode config = credential.get("config");
        return S3Client.builder()
                .endpointOverride(minio.endpoint())
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsSessionCredentials.create(
                        config.get("s3.access-key-id").asText(),
                        config.get("s3.secret-access-key").asText(),
                        config.get("s3.session-token").asText())))
                .build();
    }

    private String key(Table table) {
        return table.location().replaceFirst("s3://" + minio.bucket() + "/", "");
    }

    private static void assertDenied(Runnable access) {
        assertThatThrownBy(access::run)
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        denied -> assertThat(denied.statusCode()).isEqualTo(403));
    }

    @Test
    void aClientWritesAndReadsFilesOfItsTableWithCredentialsItWasGiven() {
        Table loaded = catalog.loadTable(TableIdentifier.of("default", "readings"));
        String file = loaded.location() + "/data/one.txt";
        try (var out = loaded.io().newOutputFile(file).createOrOverwrite()) {
            out.write("rows".getBytes(StandardCharsets.UTF_8));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        assertThat(loaded.io().newInputFile(file).exists()).isTrue();
        assertThat(loaded.io().properties()).doesNotContainValue(minio.secretKey());
        loaded.io().deleteFile(file);
        assertThat(loaded.io().newInputFile(file).exists()).isFalse();
    }

    @Test
    void credentialsForOneTableAreOfNoUseForAnotherNorForTheLog() throws Exception {
        try (S3Client s3 = with(credential("readings", WRITER))) {
            String own = key(readings);
            String other = key(secrets);
            s3.putObject(put -> put.bucket(minio.bucket()).key(own + "/data/mine"), RequestBody.fromString("mine"));
            assertThat(s3.getObjectAsBytes(get -> get.bucket(minio.bucket()).key(own + "/data/mine"))
                            .asUtf8String())
                    .isEqualTo("mine");
            assertThat(s3.listObjectsV2(list -> list.bucket(minio.bucket()).prefix(own + "/"))
                            .contents())
                    .isNotEmpty();
            String theirs = s3Key(secrets);
            assertDenied(
                    () -> s3.getObjectAsBytes(get -> get.bucket(minio.bucket()).key(theirs)));
            assertDenied(() -> s3.putObject(
                    put -> put.bucket(minio.bucket()).key(other + "/data/x"), RequestBody.fromString("x")));
            assertDenied(() ->
                    s3.deleteObject(delete -> delete.bucket(minio.bucket()).key(theirs)));
            assertDenied(
                    () -> s3.listObjectsV2(list -> list.bucket(minio.bucket()).prefix(other + "/")));
            assertDenied(
                    () -> s3.listObjectsV2(list -> list.bucket(minio.bucket()).prefix("root/")));
            assertDenied(() -> s3.listObjectsV2(list -> list.bucket(minio.bucket())));
            assertDenied(() -> s3.getObjectAsBytes(
                    get -> get.bucket(minio.bucket()).key("root/_weir/log/00000000000000000001.json")));
            assertDenied(() ->
                    s3.putObject(put -> put.bucket(minio.bucket()).key(own + "x/data"), RequestBody.fromString("x")));
        }
    }

    /** The metadata file of a table: an object that is there. */
    private String s3Key(Table table) {
        String file =
                ((org.apache.iceberg.BaseTable) table).operations().current().metadataFileLocation();
        return file.replaceFirst("s3://" + minio.bucket() + "/", "");
    }

    @Test
    void whoMayOnlyReadIsGivenCredentialsThatOnlyRead() throws Exception {
        try (S3Client s3 = with(credential("readings", READER))) {
            assertThat(s3.getObjectAsBytes(get -> get.bucket(minio.bucket()).key(s3Key(readings)))
                            .asByteArray())
                    .isNotEmpty();
            assertDenied(() -> s3.putObject(
                    put -> put.bucket(minio.bucket()).key(key(readings) + "/data/x"), RequestBody.fromString("x")));
            assertDenied(() ->
                    s3.deleteObject(delete -> delete.bucket(minio.bucket()).key(s3Key(readings))));
        }
    }

    @Test
    void theyAreGivenWhereTheyAreAskedForAndRenewed() throws Exception {
        String table = "/v1/lake/namespaces/default/tables/readings";
        JsonNode without = JSON.readTree(get(table, WRITER).body());
        assertThat(without.path("storage-credentials")).isEmpty();
        assertThat(without.get("config").has("s3.secret-access-key")).isFalse();
        HttpResponse<String> answer =
                get(table, WRITER, "X-Iceberg-Access-Delegation", "remote-signing, vended-credentials");
        JsonNode credential = JSON.readTree(answer.body()).at("/storage-credentials/0");
        assertThat(credential.get("prefix").asText()).isEqualTo(readings.location() + "/");
        JsonNode config = credential.get("config");
        assertThat(config.get("client.refresh-credentials-endpoint").asText())
                .isEqualTo("v1/lake/namespaces/default/tables/readings/credentials");
        assertThat(Instant.ofEpochMilli(
                        config.get("s3.session-token-expires-at-ms").asLong()))
                .isBetween(Instant.now().plusSeconds(60), Instant.now().plusSeconds(900));
        assertThat(get("/" + config.get("client.refresh-credentials-endpoint").asText(), WRITER)
                        .statusCode())
                .isEqualTo(200);
        String tag = answer.headers().firstValue("ETag").orElseThrow();
        assertThat(get(table, WRITER, "If-None-Match", tag).statusCode())
                .as("an answer without credentials is another")
                .isEqualTo(200);
        assertThat(get("/v1/config?warehouse=lake", WRITER).body())
                .contains("GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials")
                .doesNotContain(minio.secretKey());
    }

    @Test
    void aTableThatSharesItsLocationGetsNone() throws Exception {
        catalog.buildTable(TableIdentifier.of("default", "around"), SCHEMA)
                .withLocation(secrets.location() + "/inside")
                .withProperty("weir.allow-location-overlap", "true")
                .create();
        try {
            HttpResponse<String> answer = get("/v1/lake/namespaces/default/tables/around/credentials", WRITER);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("something else has files at its location");
        } finally {
            catalog.dropTable(TableIdentifier.of("default", "around"));
        }
    }
}
