package io.weir.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.Javalin;
import io.weir.coordinator.Derivation;
import io.weir.coordinator.Lake;
import io.weir.coordinator.LakeOptions;
import io.weir.store.LakeFileIO;
import io.weir.store.LocalFileIO;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;

/** A lake in a folder behind a server on a free port, with Iceberg's own client and a bare one to reach it. */
final class ServedLake implements AutoCloseable {
    static final String NAME = "lake";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Lake lake;
    private final Javalin server;
    private final HttpClient http = HttpClient.newHttpClient();

    private final Queue<Answered> answers;

    private record Answered(String method, String path, int status, Optional<List<TableIdentifier>> references) {}

    private ServedLake(Lake lake, Javalin server, Queue<Answered> answers) {
        this.lake = lake;
        this.server = server;
        this.answers = answers;
    }

    static ServedLake in(Path folder) {
        return on(ObjectStores.open(folder.toUri(), S3Config.defaults()), folder);
    }

    static ServedLake in(Path folder, UnaryOperator<RestOptions> options) {
        return on(ObjectStores.open(folder.toUri(), S3Config.defaults()), folder, options);
    }

    /** @param store of the lake in the folder */
    static ServedLake on(ObjectStore store, Path folder) {
        return on(store, folder, UnaryOperator.identity());
    }

    private static ServedLake on(ObjectStore store, Path folder, UnaryOperator<RestOptions> options) {
        Lake lake = Lake.open(
                LakeOptions.named(NAME),
                store,
                LakeFileIO.open(folder.toUri(), S3Config.defaults()),
                Derivation.none());
        Queue<Answered> answers = new ConcurrentLinkedQueue<>();
        Javalin server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.concurrency.useVirtualThreads = true;
                    MalformedRequests.register(config.jetty);
                    config.routes.after(context -> answers.add(new Answered(
                            context.method().name(),
                            context.path(),
                            context.statusCode(),
                            Optional.ofNullable(context.attribute(RestCatalog.REFERENCED_BY)))));
                    RestCatalog.register(
                            config.routes,
                            name -> name.equals(NAME) ? Optional.of(lake) : Optional.empty(),
                            options.apply(RestOptions.of(NAME)));
                })
                .start("127.0.0.1", 0);
        return new ServedLake(lake, server, answers);
    }

    Lake lake() {
        return lake;
    }

    long version() {
        return lake.state().version().number();
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    void forgetAnswers() {
        answers.clear();
    }

    /** The statuses of the answers to requests for a path that ends so, in their order. */
    List<Integer> answersTo(String method, String endOfPath) {
        return answers.stream()
                .filter(answer -> answer.method.equals(method) && answer.path.endsWith(endOfPath))
                .map(Answered::status)
                .toList();
    }

    /** The views that requests said they came through, of those that did. */
    List<List<TableIdentifier>> references() {
        return answers.stream().flatMap(answer -> answer.references.stream()).toList();
    }

    RESTCatalog catalog() {
        return catalog(Map.of());
    }

    RESTCatalog catalog(Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(Map.of(
                CatalogProperties.URI,
                url(),
                CatalogProperties.WAREHOUSE_LOCATION,
                NAME,
                CatalogProperties.FILE_IO_IMPL,
                LocalFileIO.class.getName()));
        properties.putAll(more);
        RESTCatalog catalog = new RESTCatalog();
        catalog.initialize("test", properties);
        return catalog;
    }

    /** A data file that is in the catalog's books only. */
    static DataFile file(Table table, long rows) {
        return DataFiles.builder(table.spec())
                .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
                .withFileSizeInBytes(100)
                .withRecordCount(rows)
                .build();
    }

    /** A request to make a view. */
    static String view(String name, String properties) {
        return "{\"name\": \"" + name
                + "\", \"schema\": {\"type\": \"struct\", \"fields\": [{\"id\": 1, \"name\": \"id\","
                + " \"type\": \"long\", \"required\": false}]}, \"view-version\": {\"version-id\": 1, \"timestamp-ms\": 1,"
                + " \"schema-id\": 0, \"summary\": {}, \"default-namespace\": [\"default\"], \"representations\": [{\"type\":"
                + " \"sql\", \"sql\": \"select 1\", \"dialect\": \"spark\"}]}, \"properties\": {" + properties + "}}";
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET().build());
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return send(request(path, headers)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    HttpResponse<String> delete(String path, String... headers) {
        return send(request(path, headers).DELETE().build());
    }

    HttpResponse<String> send(String method, String path) {
        return send(request(path)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The whole answer to a request for a path that Java's own client does not send. */
    String raw(String method, String path) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write((method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.stop();
        http.close();
        lake.close();
    }
}
