package io.weir.tests.slt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Runs slt files against a server's {@code POST /sql}; every record that does not hold is a line of the answer. */
public final class SltRunner {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI sql;
    private final HttpClient http = HttpClient.newHttpClient();

    public SltRunner(URI server) {
        this.sql = server.resolve("/sql");
    }

    /** What did not hold, as {@code file:line: …}; empty when all did. The file gets a namespace of its own. */
    public List<String> run(Path file) throws IOException, InterruptedException {
        String namespace = "t" + UUID.randomUUID().toString().substring(0, 8);
        List<String> problems = new ArrayList<>();
        for (SltRecord record : SltRecord.parse(Files.readAllLines(file))) {
            if (record.words().getFirst().equals("sleep")) {
                Thread.sleep((long) (Double.parseDouble(record.words().get(1)) * 1000));
                continue;
            }
            problem(record, record.sql().replace("{ns}", namespace))
                    .ifPresent(problem -> problems.add(
                            file.getFileName() + ":" + record.line() + ": " + record.sql() + ": " + problem));
        }
        return problems;
    }

    private Optional<String> problem(SltRecord record, String statement) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(sql)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(Map.of("sql", statement))))
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        JsonNode answer = JSON.readTree(response.body());
        boolean failed = response.statusCode() != 200;
        JsonNode error = answer.path("error");
        return switch (String.join(
                " ", record.words().subList(0, Math.min(2, record.words().size())))) {
            case "statement ok" -> failed ? Optional.of("failed: " + error) : Optional.empty();
            case "statement error" -> failed ? wrongError(record, error) : Optional.of("succeeded, should have failed");
            default -> failed ? Optional.of("failed: " + error) : wrongRows(record, answer);
        };
    }

    private static Optional<String> wrongError(SltRecord record, JsonNode error) {
        List<String> words = record.words();
        if (words.size() > 2 && !error.path("code").asText().equals(words.get(2))) {
            return Optional.of("wrong code: " + error);
        }
        String message = String.join(" ", words.subList(Math.min(3, words.size()), words.size()));
        return error.path("message").asText().contains(message)
                ? Optional.empty()
                : Optional.of("wrong message: " + error);
    }

    private static Optional<String> wrongRows(SltRecord record, JsonNode rows) {
        List<String> got = new ArrayList<>();
        for (JsonNode row : rows) {
            List<String> cells = new ArrayList<>();
            row.forEach(cell -> cells.add(text(cell)));
            got.add(String.join("\t", cells));
        }
        List<String> expected = new ArrayList<>(record.expected());
        if (record.words().contains("names")) {
            List<String> names = new ArrayList<>();
            rows.path(0).fieldNames().forEachRemaining(names::add);
            got.addFirst(String.join("\t", names));
        }
        if (record.words().contains("rowsort")) {
            got.sort(null);
            expected.sort(null);
        }
        return got.equals(expected) ? Optional.empty() : Optional.of("got " + got + ", expected " + expected);
    }

    private static String text(JsonNode value) {
        if (value.isNull()) {
            return "NULL";
        }
        boolean whole = value.isFloatingPointNumber() && value.doubleValue() == Math.rint(value.doubleValue());
        return whole ? Long.toString(value.longValue()) : value.isValueNode() ? value.asText() : value.toString();
    }
}
