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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Spark 4.1 with Iceberg's runtime on Java 17, {@code local[2]}, with the catalog as its default one, {@code weir}, with
 * the usual settings. The same is there as {@code weir_purge}, with the one setting that leaves a purge to the catalog.
 */
public final class SparkEngine implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final EngineProcess process;

    private SparkEngine(EngineProcess process) {
        this.process = process;
    }

    public static SparkEngine start(CatalogAddress catalog) {
        Path folder = Checkout.runFolder("spark");
        Path settings = folder.resolve("spark.properties");
        try (Writer writer = Files.newBufferedWriter(settings)) {
            settings(catalog, folder).store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProcessBuilder builder = new ProcessBuilder(command(settings)).directory(folder.toFile());
        return new SparkEngine(EngineProcess.start("Spark", folder.resolve("log"), START_LIMIT, builder));
    }

    private static List<String> command(Path settings) {
        List<String> command = new ArrayList<>(List.of(
                Jdk.ofRelease(17).toString(),
                "-Xmx768m",
                "-XX:+UseSerialGC",
                "-Djdk.reflect.useDirectMethodHandle=false",
                "-Dio.netty.tryReflectionSetAccessible=true"));
        for (String opened : List.of(
                "java.lang",
                "java.lang.invoke",
                "java.lang.reflect",
                "java.io",
                "java.net",
                "java.nio",
                "java.util",
                "java.util.concurrent",
                "java.util.concurrent.atomic",
                "sun.nio.ch",
                "sun.nio.cs",
                "sun.security.action",
                "sun.util.calendar")) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-cp",
                FixtureJars.resolve("spark") + "/*",
                Checkout.root().resolve("tests/fixtures/spark/SparkDriver.java").toString(),
                settings.toString()));
        return command;
    }

    private static Properties settings(CatalogAddress catalog, Path folder) {
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "spark.ui.enabled", "false",
                "spark.log.level", "WARN",
                "spark.driver.host", "127.0.0.1",
                "spark.driver.bindAddress", "127.0.0.1",
                "spark.sql.shuffle.partitions", "2",
                "spark.sql.session.timeZone", "UTC",
                "spark.sql.warehouse.dir", folder.resolve("warehouse").toString(),
                "spark.local.dir", folder.resolve("local").toString(),
                "spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
                "spark.sql.defaultCatalog", "weir"));
        addCatalog(settings, "spark.sql.catalog.weir", catalog);
        addCatalog(settings, "spark.sql.catalog.weir_purge", catalog);
        settings.put("spark.sql.catalog.weir_purge.rest-catalog-purge", "true");
        return settings;
    }

    private static void addCatalog(Properties settings, String prefix, CatalogAddress catalog) {
        settings.put(prefix, "org.apache.iceberg.spark.SparkCatalog");
        settings.put(prefix + ".type", "rest");
        settings.put(prefix + ".uri", catalog.uri().toString());
        settings.put(prefix + ".cache-enabled", "false");
        settings.put(prefix + ".io-impl", "org.apache.iceberg.aws.s3.S3FileIO");
        if (!catalog.warehouse().isEmpty()) {
            settings.put(prefix + ".warehouse", catalog.warehouse());
        }
        catalog.files().forEach((key, value) -> settings.put(prefix + "." + key, value));
    }

    /** Runs one statement. Throws EngineException with Spark's words where it fails. */
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
