package io.weir.tests.engines;

import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureJars;
import io.weir.tests.fixtures.FixtureProcess;
import io.weir.tests.fixtures.Jdk;
import io.weir.tests.fixtures.S3Address;
import io.weir.tests.fixtures.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Nessie's server as a process of its own: a peer to measure by. Its versions are in memory, which is the fastest of its
 * stores and keeps nothing; its tables' files are on S3, the only kind of store it shares with Weir.
 */
public final class NessieServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final String WAREHOUSE = "lake";

    private final FixtureProcess process;
    private final URI uri;
    private final Map<String, String> files;

    private NessieServer(FixtureProcess process, URI uri, Map<String, String> files) {
        this.process = process;
        this.uri = uri;
        this.files = files;
    }

    /** Starts it over a warehouse on S3. */
    public static NessieServer start(S3Server s3, String prefix) {
        return start(s3.address(), prefix);
    }

    /** The same, with its store at an address that need not be the server's own. */
    public static NessieServer start(S3Address s3, String prefix) {
        Path folder = Checkout.runFolder("nessie");
        int port = FixtureProcess.freePort();
        URI uri = URI.create("http://127.0.0.1:" + port + "/iceberg");
        String options = "nessie.catalog.service.s3.default-options.";
        List<String> settings = List.of(
                "quarkus.http.host=127.0.0.1",
                "quarkus.http.port=" + port,
                "quarkus.management.host=127.0.0.1",
                "quarkus.management.port=" + FixtureProcess.freePort(),
                "quarkus.log.level=WARN",
                "nessie.version.store.type=IN_MEMORY",
                "nessie.catalog.default-warehouse=" + WAREHOUSE,
                "nessie.catalog.warehouses." + WAREHOUSE + ".location=" + s3.lake(prefix),
                options + "endpoint=" + s3.properties().get("s3.endpoint"),
                options + "path-style-access=true",
                options + "region=" + s3.properties().get("client.region"),
                options + "request-signing-enabled=false",
                options + "access-key=urn:nessie-secret:quarkus:store",
                "store.name=" + s3.properties().get("s3.access-key-id"),
                "store.secret=" + s3.properties().get("s3.secret-access-key"));
        List<String> command = Stream.of(
                        Stream.of(Jdk.current().toString(), "-Xmx768m"),
                        settings.stream().map(setting -> "-D" + setting),
                        Stream.of("-jar", jar().toString()))
                .flatMap(part -> part)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        FixtureProcess process =
                FixtureProcess.start("Nessie", folder.resolve("log"), builder).await(START_LIMIT, () -> answers(uri));
        return new NessieServer(process, uri, s3.properties());
    }

    private static Path jar() {
        try (Stream<Path> jars = Files.list(FixtureJars.resolve("nessie"))) {
            return jars.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean answers(URI uri) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(uri + "/v1/config").toURL().openConnection();
            connection.setConnectTimeout(500);
            connection.setReadTimeout(2000);
            return connection.getResponseCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    public CatalogAddress address() {
        return new CatalogAddress(uri, WAREHOUSE, files);
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
