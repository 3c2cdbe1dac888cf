package io.weir.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.tests.fixtures.ParquetRows;
import io.weir.tests.fixtures.WeirProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kill -9 under load, again and again: what was acknowledged is there, and nothing is half there. */
class KilledServerTest {
    private static final Logger LOG = LoggerFactory.getLogger(KilledServerTest.class);
    private static final int ROUNDS = Integer.getInteger("weir.kills", 3);
    private static final int WRITERS = 4;
    private static final TableIdentifier READINGS = TableIdentifier.of("flow", "readings");

    @TempDir
    private Path folder;

    @Test
    void aServerThatIsKilledLosesNothingAcknowledgedAndLeavesNothingHalfVisible() throws Exception {
        Path lake = folder.resolve("lake");
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        Set<String> sent = ConcurrentHashMap.newKeySet();
        Random random = new Random(7);
        try (WeirProcess weir = WeirProcess.local(lake)) {
            FlowSetup.create(weir, 2);
        }
        for (int round = 0; round < ROUNDS; round++) {
            try (WeirProcess weir = WeirProcess.local(lake);
                    RESTCatalog catalog = weir.catalog();
                    ExecutorService threads = Executors.newCachedThreadPool()) {
                check(weir, catalog, acknowledged, sent);
                List<Future<?>> writers = new ArrayList<>();
                for (int writer = 0; writer < WRITERS; writer++) {
                    int seed = round * WRITERS + writer;
                    writers.add(threads.submit(() -> write(catalog, seed, acknowledged, sent)));
                }
                int enough = acknowledged.size() + 1 + random.nextInt(60);
                long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                while (acknowledged.size() < enough && System.nanoTime() < deadline) {
                    Thread.sleep(1 + random.nextInt(3));
                }
                weir.kill();
                for (Future<?> writer : writers) {
                    writer.get();
                }
            }
        }
        try (WeirProcess weir = WeirProcess.local(lake);
                RESTCatalog catalog = weir.catalog()) {
            check(weir, catalog, acknowledged, sent);
            assertThat(acknowledged).isNotEmpty();
        }
    }

    /** Until the server is gone. */
    private static void write(RESTCatalog catalog, int seed, Set<String> acknowledged, Set<String> sent) {
        Random random = new Random(seed);
        Table table = catalog.loadTable(READINGS);
        try {
            while (true) {
                DataFile file = ParquetRows.write(table, List.<Object[]>of(new Object[] {
                    random.nextLong(), "site-" + random.nextInt(3), "sensor", (long) random.nextInt(100), "good"
                }));
                sent.add(file.location());
                table.newFastAppend().appendFile(file).commit();
                acknowledged.add(file.location());
            }
        } catch (RESTException | CommitStateUnknownException gone) {
            // The connection broke: whether the last commit happened only the next server can tell.
            LOG.info("writer {} ended with {}", seed, gone.toString());
        }
    }

    private static void check(WeirProcess weir, RESTCatalog catalog, Set<String> acknowledged, Set<String> sent)
            throws Exception {
        Set<String> live = new HashSet<>();
        try (CloseableIterable<FileScanTask> tasks =
                catalog.loadTable(READINGS).newScan().planFiles()) {
            tasks.forEach(task -> live.add(task.file().location()));
        }
        assertThat(live).as("acknowledged commits").containsAll(acknowledged);
        assertThat(sent).as("files nobody sent").containsAll(live);
        for (FlowSetup.Stage stage : FlowSetup.STAGES) {
            assertThat(FlowSetup.difference(weir, stage)).as(stage.view()).isEmpty();
        }
    }
}
