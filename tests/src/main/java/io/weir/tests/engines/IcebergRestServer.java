package io.weir.tests.engines;

import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureJars;
import io.weir.tests.fixtures.FixtureProcess;
import io.weir.tests.fixtures.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** Iceberg's reference REST server (its JdbcCatalog on SQLite) as a process of its own: a peer to measure by. */
public final class IcebergRestServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);

    private final FixtureProcess process;
    private final URI uri;
    private final Map<String, String> files;

    private IcebergRestServer(FixtureProcess process, URI uri, Map<String, String> files) {
        this.process = process;
        this.uri = uri;
        this.files = files;
    }

    /** Starts it over a warehouse on S3 ({@code files} are Iceberg's property names) or on local files (none). */
    public static IcebergRestServer start(URI warehouse, Map<String, String> files) {
        Path folder = Checkout.runFolder("iceberg-rest");
        int port = FixtureProcess.freePort();
        URI uri = URI.create("http://127.0.0.1:" + port);
        Path settings = folder.resolve("catalog.properties");
        try (Writer writer = Files.newBufferedWriter(settings)) {
            settings(warehouse, files, folder).store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProcessBuilder builder = new ProcessBuilder(
                        Jdk.current().toString(),
                        "-Xmx768m",
                        "-cp",
                        FixtureJars.resolve("iceberg-rest") + "/*",
                        Checkout.root()
                                .resolve("tests/fixtures/iceberg-rest/ReferenceServer.java")
                                .toString(),
                        Integer.toString(port),
                        settings.toString())
                .directory(folder.toFile());
        FixtureProcess process = FixtureProcess.start("Iceberg's REST server", folder.resolve("log"), builder)
                .await(START_LIMIT, () -> answers(uri));
        return new IcebergRestServer(process, uri, files);
    }

    private static Properties settings(URI warehouse, Map<String, String> files, Path folder) {
        Properties settings = new Properties();
        settings.putAll(files);
        settings.put("catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog");
        settings.put("uri", "jdbc:sqlite:" + folder.resolve("catalog.db"));
        settings.put("jdbc.schema-version", "V1");
        settings.put("warehouse", warehouse.toString());
        if (!files.isEmpty()) {
            settings.put("io-impl", "org.apache.iceberg.aws.s3.S3FileIO");
        }
        return settings;
    }

    private static boolean answers(URI uri) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) uri.resolve("/v1/config").toURL().openConnection();
            connection.setConnectTimeout(500);
            connection.setReadTimeout(2000);
            return connection.getResponseCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    public URI uri() {
        return uri;
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
