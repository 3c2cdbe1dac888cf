package io.weir.tests.engines;

import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureJars;
import io.weir.tests.fixtures.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** Trino 483, one node, with the catalog as {@code weir} and its schema {@code default} as the session's. */
public final class TrinoEngine implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final EngineProcess process;

    private TrinoEngine(EngineProcess process) {
        this.process = process;
    }

    public static TrinoEngine start(CatalogAddress catalog) {
        Path folder = Checkout.runFolder("trino");
        Path settings = folder.resolve("catalog.properties");
        try (Writer writer = Files.newBufferedWriter(settings)) {
            settings(catalog).store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProcessBuilder builder = new ProcessBuilder(
                        Jdk.current().toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-Duser.timezone=UTC",
                        "--add-modules=jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-cp",
                        FixtureJars.resolve("trino") + "/*",
                        Checkout.root()
                                .resolve("tests/fixtures/trino/TrinoDriver.java")
                                .toString(),
                        settings.toString())
                .directory(folder.toFile());
        return new TrinoEngine(EngineProcess.start("Trino", folder.resolve("log"), START_LIMIT, builder));
    }

    private static Properties settings(CatalogAddress catalog) {
        Map<String, String> files = catalog.files();
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "iceberg.catalog.type", "rest",
                "iceberg.rest-catalog.uri", catalog.uri().toString(),
                "fs.s3.enabled", "true",
                "s3.endpoint", files.get("s3.endpoint"),
                "s3.region", files.get("client.region"),
                "s3.path-style-access", files.get("s3.path-style-access"),
                "s3.aws-access-key", files.get("s3.access-key-id"),
                "s3.aws-secret-key", files.get("s3.secret-access-key")));
        settings.putAll(Map.of(
                "iceberg.expire-snapshots.min-retention", "0s",
                "iceberg.remove-orphan-files.min-retention", "0s",
                "iceberg.register-table-procedure.enabled", "true"));
        if (!catalog.warehouse().isEmpty()) {
            settings.put("iceberg.rest-catalog.warehouse", catalog.warehouse());
        }
        return settings;
    }

    /** Runs one statement. Throws EngineException with Trino's words where it fails. */
    public Answer sql(String statement) {
        return process.ask(Map.of("sql", statement));
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
