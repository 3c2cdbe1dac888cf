package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of {@code /metrics} move with what they count. */
class MetricsTest {
    private static final String LAKE = "{lake=\"lake\"}";

    @TempDir
    private Path folder;

    private WeirServer server;
    private HttpClient http;

    @BeforeEach
    void start() {
        http = HttpClient.newHttpClient();
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + folder.resolve("lake")),
                        Setting.LISTEN, List.of("127.0.0.1:0"))));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private int sql(String statements) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(server.url().resolve("/sql"))
                                .POST(BodyPublishers.ofString("{\"sql\": \"" + statements + "\"}"))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private String text() throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(server.url().resolve("/metrics")).build(), BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        return answer.body();
    }

    /** Zero where there is no such line yet. */
    private static double value(String text, String line) {
        return text.lines()
                .filter(other -> other.startsWith(line + " "))
                .mapToDouble(other -> Double.parseDouble(other.substring(line.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private static String step(String step) {
        return "weir_commit_step_seconds_count{lake=\"lake\",step=\"" + step + "\"}";
    }

    private static String outcome(String outcome) {
        return "weir_commit_seconds_count{lake=\"lake\",outcome=\"" + outcome + "\"}";
    }

    @Test
    void aCommitMovesEachOfItsStepsAndTheStoreByWhatItAsks() throws Exception {
        assertThat(sql("CREATE TABLE t (id BIGINT)")).isEqualTo(200);
        String before = text();
        assertThat(sql("INSERT INTO t VALUES (1)")).isEqualTo(200);
        String after = text();

        for (String one : List.of(
                step("read"),
                step("queue"),
                step("check"),
                step("derive"),
                step("write"),
                step("log"),
                outcome("committed"),
                "weir_commit_group_size_count" + LAKE,
                "weir_lake_version" + LAKE,
                "weir_store_request_seconds_count{lake=\"lake\",request=\"create\"}")) {
            assertThat(value(after, one) - value(before, one)).as(one).isEqualTo(1);
        }
        String writes = "weir_store_request_seconds_count{lake=\"lake\",request=\"write\"}";
        assertThat(value(after, writes) - value(before, writes))
                .as("the manifest, the list and the table; the engine writes the data file of a local lake itself")
                .isEqualTo(3);
        assertThat(value(after, "weir_commits_under_way" + LAKE)).isZero();
        assertThat(value(after, "weir_commits_under_way_bytes" + LAKE)).isZero();
    }

    @Test
    void aRefusalIsCountedAsOne() throws Exception {
        assertThat(sql("CREATE TABLE t (id BIGINT)")).isEqualTo(200);
        String before = text();
        HttpResponse<String> refused = http.send(
                HttpRequest.newBuilder(server.url().resolve("/v1/lake/namespaces/default/tables/gone"))
                        .method("DELETE", BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(404);
        String after = text();
        assertThat(value(after, outcome("rejected")) - value(before, outcome("rejected")))
                .isEqualTo(1);
        assertThat(value(after, outcome("committed"))).isEqualTo(value(before, outcome("committed")));
        String line =
                "weir_http_requests_total{method=\"DELETE\",route=\"/v1/{prefix}/namespaces/{namespace}/tables/{table}\","
                        + "status=\"404\"}";
        assertThat(value(after, line)).isEqualTo(1);
    }

    @Test
    void whatNobodyServesIsOneRoute() throws Exception {
        for (int i = 0; i < 3; i++) {
            http.send(
                    HttpRequest.newBuilder(server.url().resolve("/nothing/" + i))
                            .build(),
                    BodyHandlers.ofString());
        }
        assertThat(value(text(), "weir_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"}"))
                .isEqualTo(3);
        assertThat(text()).contains("jvm_memory_used_bytes{area=\"heap\"} ");
    }
}
