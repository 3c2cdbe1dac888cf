package io.weir.tests.bench;

import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How soon {@code ./weir serve} answers on an empty local lake, and how much memory it then holds. */
final class StartBench {
    private static final int ROUNDS = 5;

    private StartBench() {}

    static void run(Figures figures) {
        List<Double> seconds = new ArrayList<>();
        List<Double> megabytes = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) {
            Path folder = Checkout.runFolder("bench-start");
            int port = FixtureProcess.freePort();
            ProcessBuilder builder = new ProcessBuilder(
                    Checkout.root().resolve("weir").toString(),
                    "serve",
                    "--lake",
                    folder.resolve("lake").toUri().toString(),
                    "--listen",
                    "127.0.0.1:" + port);
            long start = System.nanoTime();
            try (FixtureProcess weir = FixtureProcess.start("weir", folder.resolve("log"), builder)) {
                weir.await(Duration.ofSeconds(60), () -> weir.tail().contains("weir ready"));
                double took = (System.nanoTime() - start) / 1e9;
                Thread.sleep(Duration.ofSeconds(2));
                if (round > 0) {
                    seconds.add(took);
                    megabytes.add(ProcessMemory.residentMegabytes(weir.pid()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        figures.add("serve on an empty local lake", "weir", "answers after, median", Figures.median(seconds), "s");
        figures.add("serve on an empty local lake", "weir", "resident, median", Figures.median(megabytes), "MB");
    }
}
