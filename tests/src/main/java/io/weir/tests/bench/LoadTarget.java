package io.weir.tests.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.store.LocalFileIO;
import io.weir.tests.bench.KeepAliveConnection.Response;
import io.weir.tests.engines.CatalogAddress;
import io.weir.tests.fixtures.ParquetRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * A catalog that is measured. Requests to all of them are the same bytes but for the host and the prefix of the path.
 *
 * @param api what comes before {@code /namespaces} in its paths
 */
record LoadTarget(String name, URI api, long pid, CatalogAddress address) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAKERS = 16;

    static LoadTarget of(String name, long pid, CatalogAddress address) {
        LoadTarget bare = new LoadTarget(name, URI.create(address.uri() + "/v1"), pid, address);
        JsonNode config = bare.json("GET", "/config?warehouse=" + address.warehouse(), "");
        String prefix = config.path("overrides")
                .path("prefix")
                .asText(config.path("defaults").path("prefix").asText());
        return prefix.isEmpty() ? bare : new LoadTarget(name, URI.create(bare.api + "/" + prefix), pid, address);
    }

    /** A request as it goes over the wire. */
    byte[] request(String method, String path, String headers, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String type =
                body.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + content.length + "\r\n";
        return (method + " " + api.getRawPath() + path + " HTTP/1.1\r\nHost: " + api.getAuthority()
                        + "\r\nUser-Agent: weir-bench\r\nAccept: application/json\r\n" + headers + type + "\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    byte[] get(String path) {
        return request("GET", path, "", "");
    }

    Response send(byte[] request) {
        try (KeepAliveConnection connection = new KeepAliveConnection(api)) {
            return connection.exchange(request, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(Response response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode json(String method, String path, String body) {
        Response response = send(request(method, path, "", body));
        if (response.status() != 200) {
            throw new IllegalStateException(
                    name + " answered " + method + " " + path + " with " + response.head() + response.body());
        }
        return json(response);
    }

    /** Where the catalog does it by REST. */
    void createNamespace(String namespace) {
        json("POST", "/namespaces", "{\"namespace\":[\"" + namespace + "\"],\"properties\":{}}");
    }

    byte[] createTable(String namespace, String table) {
        return request(
                "POST",
                "/namespaces/" + namespace + "/tables",
                "",
                "{\"name\":\"" + table + "\",\"schema\":{\"type\":\"struct\",\"schema-id\":0,\"fields\":["
                        + "{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"},"
                        + "{\"id\":2,\"name\":\"site\",\"required\":false,\"type\":\"string\"},"
                        + "{\"id\":3,\"name\":\"value\",\"required\":false,\"type\":\"double\"}]},"
                        + "\"stage-create\":false,\"properties\":{\"format-version\":\"2\"}}");
    }

    /** Makes tables from several connections. */
    void createTables(String namespace, List<String> tables) {
        Queue<String> left = new ConcurrentLinkedQueue<>(tables);
        Callable<Void> maker = () -> {
            try (KeepAliveConnection connection = new KeepAliveConnection(api)) {
                for (String table = left.poll(); table != null; table = left.poll()) {
                    Response response = connection.exchange(createTable(namespace, table), true);
                    if (response.status() != 200) {
                        throw new IllegalStateException(name + " makes no table: " + response);
                    }
                }
                return null;
            }
        };
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Void> done : threads.invokeAll(Collections.nCopies(MAKERS, maker))) {
                done.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Appends a small file so many times. */
    void append(String namespace, String table, int commits) {
        try (RESTCatalog catalog = client()) {
            Table written = catalog.loadTable(TableIdentifier.of(namespace, table));
            for (int i = 0; i < commits; i++) {
                written.newFastAppend()
                        .appendFile(ParquetRows.write(written, List.<Object[]>of(new Object[] {(long) i, "site", 0.5})))
                        .commit();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Iceberg's own client of it, with enough connections for many writers. The caller closes it. */
    RESTCatalog client() {
        Map<String, String> properties = new HashMap<>(address.files());
        properties.put(CatalogProperties.URI, address.uri().toString());
        properties.put("rest-metrics-reporting-enabled", "false");
        properties.put("rest.client.max-connections", "256");
        properties.put("rest.client.connections-per-route", "256");
        properties.put("http-client.apache.max-connections", "256");
        properties.put(CatalogProperties.WAREHOUSE_LOCATION, address.warehouse());
        properties.put(
                CatalogProperties.FILE_IO_IMPL,
                address.files().isEmpty() ? LocalFileIO.class.getName() : "org.apache.iceberg.aws.s3.S3FileIO");
        RESTCatalog catalog = new RESTCatalog();
        catalog.initialize(name, properties);
        return catalog;
    }

    Duration cpu() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }
}
