package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change sent again under its key is answered as the first time, whatever happened since, and done once. */
class IdempotencyTest {
    private static final String TABLES = "/v1/lake/namespaces/default/tables";
    private static final String CREATE =
            "{\"name\": \"t\", \"schema\": {\"type\": \"struct\", \"fields\": [{\"id\": 1, \"name\": \"id\", \"type\": \"long\","
                    + " \"required\": false}]}}";

    @TempDir
    private Path folder;

    private ServedLake served;

    @BeforeEach
    void serve() {
        served = ServedLake.in(folder);
    }

    @AfterEach
    void close() {
        served.close();
    }

    private HttpResponse<String> post(String path, String body, String key) {
        return served.post(path, body, Idempotency.HEADER, key);
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    @Test
    void itIsAdvertised() {
        assertThat(ServedLake.json(served.get("/v1/config"))
                        .get("idempotency-key-lifetime")
                        .asText())
                .isEqualTo("PT30M");
    }

    @Test
    void aCreateSentAgainAnswersTheTableItMade() {
        String key = key();
        HttpResponse<String> first = post(TABLES, CREATE, key);
        assertThat(first.statusCode()).isEqualTo(200);
        long version = served.version();

        HttpResponse<String> second = post(TABLES, CREATE, key);

        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(served.version()).isEqualTo(version);
    }

    @Test
    void anAnswerStaysTheSameWhenTheTableIsGone() {
        String key = key();
        HttpResponse<String> first = post(TABLES, CREATE, key);
        served.send("DELETE", TABLES + "/t");

        assertThat(post(TABLES, CREATE, key).body()).isEqualTo(first.body());
        assertThat(served.lake().state().table(TableIdentifier.of("default", "t")))
                .isEmpty();
    }

    @Test
    void aDropSentAgainSucceedsAndDropsNothingElse() {
        String key = key();
        post(TABLES, CREATE, key());
        assertThat(served.delete(TABLES + "/t", Idempotency.HEADER, key).statusCode())
                .isEqualTo(204);
        post(TABLES, CREATE, key());

        assertThat(served.delete(TABLES + "/t", Idempotency.HEADER, key).statusCode())
                .isEqualTo(204);
        assertThat(served.lake().state().table(TableIdentifier.of("default", "t")))
                .isPresent();
    }

    @Test
    void aRefusalIsFinalToo() {
        post(TABLES, CREATE, key());
        String key = key();
        HttpResponse<String> refused = post(TABLES, CREATE, key);
        assertThat(refused.statusCode()).isEqualTo(409);
        served.send("DELETE", TABLES + "/t");

        HttpResponse<String> again = post(TABLES, CREATE, key);

        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).isEqualTo(refused.body());
    }

    @Test
    void removedPropertiesAreToldAsTheFirstTime() {
        String path = "/v1/lake/namespaces/default/properties";
        served.post(path, "{\"removals\": [], \"updates\": {\"a\": \"1\"}}");
        String key = key();
        String body = "{\"removals\": [\"a\"], \"updates\": {}}";
        HttpResponse<String> first = post(path, body, key);
        assertThat(first.body()).contains("\"removed\":[\"a\"]");

        assertThat(post(path, body, key).body()).isEqualTo(first.body());
    }

    @Test
    void aKeyIsForOneRequest() {
        String key = key();
        post(TABLES, CREATE, key);

        HttpResponse<String> other = post(TABLES, CREATE.replace("\"t\"", "\"u\""), key);

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains(key);
        assertThat(served.lake().state().table(TableIdentifier.of("default", "u")))
                .isEmpty();
    }

    @Test
    void aKeyIsAUuid() {
        assertThat(post(TABLES, CREATE, "one").statusCode()).isEqualTo(400);
    }

    @Test
    void keysOutliveTheServer() {
        String key = key();
        HttpResponse<String> first = post(TABLES, CREATE, key);
        served.close();
        served = ServedLake.in(folder);

        assertThat(post(TABLES, CREATE, key).body()).isEqualTo(first.body());
    }
}
