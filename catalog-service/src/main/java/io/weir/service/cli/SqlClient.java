package io.weir.service.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.service.sql.SqlException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Sends statements to a server's {@code POST /sql} and gives back the answer's text in the wanted format. */
final class SqlClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI url;
    private final Optional<String> token;

    SqlClient(String url, Optional<String> token) {
        this.url = URI.create(url.replaceAll("/+$", "") + "/sql");
        this.token = token;
    }

    /** @throws SqlException when the server refused the statements */
    String run(String sql, String format) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "?format=" + format))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body(sql)));
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new CommandFailedException(
                    "no answer from " + url + ": " + e + ". Is a server running there (./weir serve)?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("stopped while waiting for " + url, e);
        }
        if (response.statusCode() != 200) {
            throw error(response);
        }
        return response.body();
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new CommandFailedException("the server's answer is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static String body(String sql) {
        try {
            return JSON.writeValueAsString(Map.of("sql", sql));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SqlException error(HttpResponse<String> response) {
        JsonNode error;
        try {
            error = JSON.readTree(response.body()).path("error");
        } catch (JsonProcessingException e) {
            throw new CommandFailedException("HTTP " + response.statusCode() + ": " + response.body(), e);
        }
        return new SqlException(
                error.path("code").asText("HTTP " + response.statusCode()),
                error.path("message").asText(response.body()),
                error.path("hint").asText(""));
    }

    @Override
    public void close() {
        http.close();
    }
}
