package io.weir.tests.engines;

import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureProcess;
import io.weir.tests.fixtures.PythonEnvironment;
import io.weir.tests.fixtures.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Pondra as a process of its own: a peer to measure by, whose lake is on the store as Weir's is. */
public final class PondraServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);

    private final FixtureProcess process;
    private final URI uri;
    private final Map<String, String> files;

    private PondraServer(FixtureProcess process, URI uri, Map<String, String> files) {
        this.process = process;
        this.uri = uri;
        this.files = files;
    }

    public static PondraServer onS3(S3Server s3, String prefix) {
        return start(
                s3.lake(prefix).toString(),
                Map.of(
                        "AWS_ENDPOINT",
                        s3.endpoint().toString(),
                        "AWS_ENDPOINT_URL",
                        s3.endpoint().toString(),
                        "AWS_ALLOW_HTTP",
                        "true",
                        "AWS_REGION",
                        "us-east-1",
                        "AWS_ACCESS_KEY_ID",
                        s3.accessKey(),
                        "AWS_SECRET_ACCESS_KEY",
                        s3.secretKey()),
                s3.properties());
    }

    public static PondraServer local(Path lake) {
        return start(lake.toString(), Map.of(), Map.of());
    }

    private static PondraServer start(String lake, Map<String, String> environment, Map<String, String> files) {
        Path folder = Checkout.runFolder("pondra");
        int port = FixtureProcess.freePort();
        ProcessBuilder builder = new ProcessBuilder(
                        PythonEnvironment.bin("pondra").resolve("pondra").toString(),
                        "serve",
                        "--lake",
                        lake,
                        "--addr",
                        "127.0.0.1:" + port,
                        "--memory-gb",
                        "0.75")
                .directory(folder.toFile());
        builder.environment().putAll(environment);
        FixtureProcess process = FixtureProcess.start("Pondra", folder.resolve("log"), builder);
        process.await(START_LIMIT, () -> process.tail().contains("serving"));
        return new PondraServer(process, URI.create("http://127.0.0.1:" + port), files);
    }

    /** Its REST endpoint makes none. */
    public void createNamespace(String name) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(uri.resolve("/sql"))
                            .POST(HttpRequest.BodyPublishers.ofString("CREATE SCHEMA " + name))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("Pondra makes no schema: " + response.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public CatalogAddress address() {
        return new CatalogAddress(uri, "", files);
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
