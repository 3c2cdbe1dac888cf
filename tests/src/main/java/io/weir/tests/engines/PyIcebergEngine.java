package io.weir.tests.engines;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.PythonEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * PyIceberg in a virtual environment of the checkout ({@code .weir/fixtures/pyiceberg}), made once with pip. It has no
 * SQL: each method is one call of its table.
 */
public final class PyIcebergEngine implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);

    private final EngineProcess process;

    private PyIcebergEngine(EngineProcess process) {
        this.process = process;
    }

    public static PyIcebergEngine start(CatalogAddress catalog) {
        Path folder = Checkout.runFolder("pyiceberg");
        Map<String, String> settings = new HashMap<>(catalog.files());
        settings.put("uri", catalog.uri().toString());
        settings.put("s3.region", catalog.files().getOrDefault("client.region", "us-east-1"));
        if (!catalog.warehouse().isEmpty()) {
            settings.put("warehouse", catalog.warehouse());
        }
        Path file = folder.resolve("catalog.json");
        try {
            Files.writeString(file, new ObjectMapper().writeValueAsString(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProcessBuilder builder = new ProcessBuilder(
                        PythonEnvironment.bin("pyiceberg").resolve("python").toString(),
                        Checkout.root()
                                .resolve("tests/fixtures/pyiceberg/driver.py")
                                .toString(),
                        file.toString())
                .directory(folder.toFile());
        return new PyIcebergEngine(EngineProcess.start("PyIceberg", folder.resolve("log"), START_LIMIT, builder));
    }

    public void createNamespace(String namespace) {
        process.ask(Map.of("do", "create_namespace", "table", namespace));
    }

    /** Columns as name and type: long, int, double, string, boolean, date, timestamp, timestamptz. */
    public void create(String table, List<List<String>> columns) {
        process.ask(Map.of("do", "create", "table", table, "columns", columns));
    }

    public void append(String table, List<Map<String, Object>> rows) {
        process.ask(Map.of("do", "append", "table", table, "rows", rows));
    }

    /** Replaces every row. */
    public void overwrite(String table, List<Map<String, Object>> rows) {
        process.ask(Map.of("do", "overwrite", "table", table, "rows", rows));
    }

    /** Replaces the rows the filter holds for. */
    public void overwrite(String table, String filter, List<Map<String, Object>> rows) {
        process.ask(Map.of("do", "overwrite", "table", table, "filter", filter, "rows", rows));
    }

    public void delete(String table, String filter) {
        process.ask(Map.of("do", "delete", "table", table, "filter", filter));
    }

    public void upsert(String table, List<String> keys, List<Map<String, Object>> rows) {
        process.ask(Map.of("do", "upsert", "table", table, "keys", keys, "rows", rows));
    }

    public Answer scan(String table) {
        return process.ask(Map.of("do", "scan", "table", table));
    }

    /**
     * Runs code as a user writes it, with the catalog as {@code catalog} and pyarrow as {@code pa}: its answer is the lists
     * it puts into {@code rows}.
     */
    public Answer run(String code) {
        return process.ask(Map.of("do", "run", "code", code));
    }

    public void drop(String table) {
        process.ask(Map.of("do", "drop", "table", table));
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
