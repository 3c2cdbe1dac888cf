package io.weir.tests.bench;

import io.weir.coordinator.CrowdedLake;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How soon {@code ./weir serve} answers on a lake of 100,000 tables and 1,000,000 commits, and how much memory it then
 * holds. The lake is made once, in front of the first start: a checkpoint and the entries since.
 */
final class StartupBench {
    private static final String CASE = "serve on 100,000 tables";
    private static final int TABLES = 100_000;
    private static final int COMMITS = 1_000_000;
    private static final int TAIL = 500;
    private static final int ROUNDS = 5;
    private static final double BAR_SECONDS = 5;

    private StartupBench() {}

    static void run(Figures figures) {
        Path folder = Checkout.runFolder("bench-startup");
        Path lake = folder.resolve("lake");
        try (ObjectStore store = ObjectStores.open(lake.toUri(), S3Config.fromProperties(Map.of()))) {
            CrowdedLake.write(store, TABLES, COMMITS, TAIL);
        }
        List<Double> ready = new ArrayList<>();
        List<Double> listed = new ArrayList<>();
        List<Double> megabytes = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) {
            Started started = start(lake, folder.resolve("log-" + round));
            if (round > 0) {
                ready.add(started.readySeconds());
                listed.add(started.listedSeconds());
                megabytes.add(started.megabytes());
            }
        }
        figures.add(CASE, "weir", "ready after, median", Figures.median(ready), "s");
        figures.add(CASE, "weir", "tables listed, median", Figures.median(listed), "s");
        figures.add(CASE, "weir", "listed after, slowest", Figures.percentile(listed, 1), "s");
        figures.add(CASE, "bar", "answers after", BAR_SECONDS, "s");
        figures.add(CASE, "weir", "resident, median", Figures.median(megabytes), "MB");
        figures.add(CASE, "weir", "checkpoint", checkpointMegabytes(lake), "MB");
    }

    private record Started(double readySeconds, double listedSeconds, double megabytes) {}

    private static Started start(Path lake, Path log) {
        int port = FixtureProcess.freePort();
        String listen = "127.0.0.1:" + port;
        ProcessBuilder builder = new ProcessBuilder(
                Checkout.root().resolve("weir").toString(),
                "serve",
                "--lake",
                "lake=" + lake.toUri(),
                "--listen",
                listen);
        long start = System.nanoTime();
        try (FixtureProcess weir = FixtureProcess.start("weir", log, builder);
                HttpClient http = HttpClient.newHttpClient()) {
            weir.await(Duration.ofMinutes(2), () -> weir.tail().contains("weir ready"));
            double ready = (System.nanoTime() - start) / 1e9;
            String tables = get(
                    http,
                    "http://" + listen + "/v1/lake/namespaces/" + CrowdedLake.namespace(7)
                            + "/tables?pageToken=&pageSize=100");
            double listed = (System.nanoTime() - start) / 1e9;
            if (!tables.contains("readings_")) {
                throw new IllegalStateException("the server lists no table: " + tables);
            }
            Thread.sleep(Duration.ofSeconds(2));
            return new Started(ready, listed, ProcessMemory.residentMegabytes(weir.pid()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String get(HttpClient http, String url) throws InterruptedException {
        try {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + url, e);
        }
    }

    private static double checkpointMegabytes(Path lake) {
        try (var files = Files.list(lake.resolve("_weir/checkpoint"))) {
            return files.mapToLong(file -> file.toFile().length()).max().orElseThrow() / 1e6;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
