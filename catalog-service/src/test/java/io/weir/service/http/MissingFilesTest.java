package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said where files are gone that the lake names. */
class MissingFilesTest {
    @TempDir
    private Path folder;

    private WeirServer server;
    private HttpClient http;

    @BeforeEach
    void start() throws Exception {
        http = HttpClient.newHttpClient();
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + folder.resolve("lake")),
                        Setting.LISTEN, List.of("127.0.0.1:0"))));
        assertThat(sql("CREATE TABLE t (id BIGINT); INSERT INTO t VALUES (1)").statusCode())
                .isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<String> sql(String statements) throws Exception {
        return http.send(
                HttpRequest.newBuilder(server.url().resolve("/sql"))
                        .POST(BodyPublishers.ofString("{\"sql\": \"" + statements + "\"}"))
                        .build(),
                BodyHandlers.ofString());
    }

    private void delete(String ending) throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.walk(folder.resolve("lake/default"))) {
            found = files.filter(file -> file.toString().endsWith(ending)).toList();
        }
        assertThat(found).isNotEmpty();
        for (Path file : found) {
            Files.delete(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".metadata.json", ".avro"})
    void aDroppedTableWhoseFilesAreGoneIsNotBroughtBack(String ending) throws Exception {
        sql("DROP TABLE t");
        delete(ending);
        HttpResponse<String> answer = sql("UNDROP TABLE t");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(410);
        assertThat(answer.body()).contains("58P01", "default.t can not be brought back", "rest-catalog-purge");
        assertThat(sql("SELECT count(*) AS n FROM weir.dropped").body()).contains("1");
        assertThat(sql("CREATE TABLE t (id BIGINT); SELECT count(*) AS n FROM t")
                        .body())
                .contains("0");
    }

    @Test
    void aDroppedTableWhoseFilesAreThereIsBroughtBack() throws Exception {
        sql("DROP TABLE t");
        assertThat(sql("UNDROP TABLE T; SELECT id FROM t").body()).contains("1");
    }

    @Test
    void theNewestOfTheExactNameComesBackFirst() throws Exception {
        sql("DROP TABLE t; CREATE TABLE t (id BIGINT); INSERT INTO t VALUES (2); DROP TABLE t");
        sql("CREATE TABLE \\\"T\\\" (id BIGINT); INSERT INTO \\\"T\\\" VALUES (3); DROP TABLE \\\"T\\\"");
        assertThat(sql("UNDROP TABLE t; SELECT id FROM t").body()).isEqualTo("[{\"id\":2}]");
    }

    @Test
    void readingATableWhoseManifestsAreGoneSaysSoInsteadOfAFailureOfTheServer() throws Exception {
        delete(".avro");
        HttpResponse<String> answer = sql("SELECT * FROM t");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(410);
        assertThat(answer.body()).contains("58P01", "is not on the store", ".avro");
    }
}
