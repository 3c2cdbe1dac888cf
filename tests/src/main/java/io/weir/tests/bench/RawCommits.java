package io.weir.tests.bench;

import io.weir.store.LocalFileIO;
import io.weir.tests.bench.KeepAliveConnection.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;

/**
 * A light load: every manifest and manifest list is written beforehand, and each request is the bytes Iceberg's client
 * would send, over a connection that is kept. What is left to measure is the catalog.
 *
 * <p>Several clients may share a table. Each then writes as if it were alone, on the table as it was at the begin, so that
 * all commits but the first are stale, as those of uncoordinated writers are.
 */
final class RawCommits {
    private final LoadTarget target;
    private final List<List<Request>> clients = new ArrayList<>();

    private record Request(String path, String body, String file) {}

    private RawCommits(LoadTarget target) {
        this.target = target;
    }

    /**
     * Writes what the commits need.
     *
     * @param tables one client for each
     * @param files where to reach the store for that: not through what adds latency
     */
    static RawCommits prepare(LoadTarget target, List<TableIdentifier> tables, int commits, Map<String, String> files) {
        RawCommits raw = new RawCommits(target);
        try (RESTCatalog catalog = target.client();
                FileIO io = io(files);
                ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Future<List<Request>>> made = new ArrayList<>();
            for (TableIdentifier name : tables) {
                TableMetadata metadata = ((HasTableOperations) catalog.loadTable(name))
                        .operations()
                        .current();
                made.add(threads.submit(() -> raw.requests(name, new Recorder(metadata, io), commits)));
            }
            for (Future<List<Request>> requests : made) {
                raw.clients.add(requests.get());
            }
            return raw;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the commits can not be prepared", e.getCause());
        }
    }

    private static FileIO io(Map<String, String> files) {
        if (files.isEmpty()) {
            return new LocalFileIO();
        }
        Map<String, String> properties = new HashMap<>(files);
        properties.put("http-client.apache.max-connections", "64");
        FileIO io = new org.apache.iceberg.aws.s3.S3FileIO();
        io.initialize(properties);
        return io;
    }

    private List<Request> requests(TableIdentifier name, Recorder recorder, int commits) {
        Table table = new BaseTable(recorder, name.toString());
        String path = "/namespaces/" + name.namespace() + "/tables/" + name.name();
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < commits; i++) {
            DataFile file = CommitWriters.file(table);
            table.newFastAppend().appendFile(file).commit();
            String body = UpdateTableRequestParser.toJson(recorder.last);
            requests.add(new Request(path, body, file.location()));
        }
        return requests;
    }

    /** All clients at once, each one request after the other. */
    CommitRun run() {
        CountDownLatch connected = new CountDownLatch(clients.size());
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<CommitRun>> running = clients.stream()
                    .map(requests -> threads.submit(() -> send(requests, connected, go)))
                    .toList();
            connected.await();
            long start = System.nanoTime();
            go.countDown();
            List<CommitRun> ends = new ArrayList<>();
            for (Future<CommitRun> client : running) {
                ends.add(client.get());
            }
            return CommitRun.of(ends, (System.nanoTime() - start) / 1e9);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed", e.getCause());
        }
    }

    private CommitRun send(List<Request> requests, CountDownLatch connected, CountDownLatch go)
            throws IOException, InterruptedException {
        Set<String> acknowledged = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        List<Double> millis = new ArrayList<>();
        long conflicts = 0;
        try (KeepAliveConnection connection = new KeepAliveConnection(target.api())) {
            connected.countDown();
            go.await();
            for (Request request : requests) {
                byte[] bytes = target.request("POST", request.path, "", request.body);
                long start = System.nanoTime();
                Response response = connection.exchange(bytes, false);
                switch (response.status()) {
                    case 200 -> {
                        acknowledged.add(request.file);
                        millis.add((System.nanoTime() - start) / 1e6);
                    }
                    case 409 -> conflicts++;
                    case 500, 502, 504 -> unknown.add(request.file);
                    default -> throw new IllegalStateException(target.name() + " answered " + response.head());
                }
            }
        } finally {
            connected.countDown();
        }
        return new CommitRun(acknowledged, unknown, conflicts, (int) conflicts, millis, 0);
    }

    /** A table that only one writer knows of: it takes every commit, and remembers the request for it. */
    private static final class Recorder implements TableOperations {
        private final FileIO io;
        private TableMetadata current;
        private UpdateTableRequest last;

        Recorder(TableMetadata current, FileIO io) {
            this.current = current;
            this.io = io;
        }

        @Override
        public TableMetadata current() {
            return current;
        }

        @Override
        public TableMetadata refresh() {
            return current;
        }

        @Override
        public void commit(TableMetadata base, TableMetadata metadata) {
            last = new UpdateTableRequest(
                    UpdateRequirements.forUpdateTable(base, metadata.changes()), metadata.changes());
            current = TableMetadata.buildFrom(metadata).discardChanges().build();
        }

        @Override
        public FileIO io() {
            return io;
        }

        @Override
        public String metadataFileLocation(String fileName) {
            return current.location() + "/metadata/" + fileName;
        }

        @Override
        public LocationProvider locationProvider() {
            return LocationProviders.locationsFor(current.location(), current.properties());
        }
    }
}
