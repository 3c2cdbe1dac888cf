package io.weir.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.tests.fixtures.ParquetRows;
import io.weir.tests.fixtures.WeirProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writers and readers at once: every reader sees every stage at the version of its source. */
class ConcurrentFlowTest {
    private static final int WRITERS = 8;
    private static final int READERS = 4;
    private static final int COMMITS = 12;
    private static final int ROWS = 25;

    /** Counts and sums of each stage and of the base, at one version. */
    private static final String ALL_STAGES = "SELECT"
            + " (SELECT count(*) FROM flow.readings WHERE quality <> 'probe' AND value > 0) AS base_n,"
            + " (SELECT coalesce(sum(value), 0)::BIGINT FROM flow.readings WHERE quality <> 'probe' AND value > 0) AS base_total,"
            + " (SELECT count(*) FROM flow.clean) AS clean_n,"
            + " (SELECT coalesce(sum(value), 0)::BIGINT FROM flow.clean) AS clean_total,"
            + " (SELECT coalesce(sum(n), 0)::BIGINT FROM flow.per_sensor) AS sensor_n,"
            + " (SELECT coalesce(sum(total), 0)::BIGINT FROM flow.per_sensor) AS sensor_total,"
            + " (SELECT coalesce(sum(n), 0)::BIGINT FROM flow.per_site) AS site_n,"
            + " (SELECT coalesce(sum(total), 0)::BIGINT FROM flow.per_site) AS site_total";

    @TempDir
    private Path folder;

    @Test
    void noReaderSeesAStageAheadOfOrBehindItsSource() throws Exception {
        try (WeirProcess weir = WeirProcess.local(folder.resolve("lake"));
                RESTCatalog catalog = weir.catalog();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            FlowSetup.create(weir, 2);
            AtomicBoolean writing = new AtomicBoolean(true);
            AtomicLong kept = new AtomicLong();
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(threads.submit(() -> write(catalog, number, kept)));
            }
            List<Future<Integer>> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(threads.submit(() -> read(weir, writing)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            writing.set(false);
            int reads = 0;
            for (Future<Integer> reader : readers) {
                reads += reader.get();
            }
            assertThat(reads).isGreaterThanOrEqualTo(READERS);
            JsonNode end = weir.sql(ALL_STAGES).get(0);
            assertThat(end.get("site_n").asLong()).isEqualTo(kept.get());
            for (FlowSetup.Stage stage : FlowSetup.STAGES) {
                assertThat(FlowSetup.difference(weir, stage)).as(stage.view()).isEmpty();
            }
        }
    }

    private static void write(RESTCatalog catalog, int number, AtomicLong kept) {
        Random random = new Random(number);
        Table table = catalog.loadTable(TableIdentifier.of("flow", "readings"));
        for (int commit = 0; commit < COMMITS; commit++) {
            List<Object[]> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                long value = random.nextInt(-20, 100);
                String quality = random.nextInt(10) == 0 ? "probe" : "good";
                rows.add(new Object[] {
                    (long) (number * 1_000_000 + commit * 1_000 + i),
                    "site-" + random.nextInt(3),
                    random.nextInt(8) == 0 ? null : "sensor-" + random.nextInt(6),
                    value,
                    quality
                });
                if (value > 0 && quality.equals("good")) {
                    kept.incrementAndGet();
                }
            }
            // Never refreshed: all but the first commit of each writer are stale.
            table.newFastAppend().appendFile(ParquetRows.write(table, rows)).commit();
        }
    }

    private static int read(WeirProcess weir, AtomicBoolean writing) {
        int reads = 0;
        do {
            JsonNode stages = weir.sql(ALL_STAGES).get(0);
            for (String stage : List.of("clean", "sensor", "site")) {
                assertThat(stages.get(stage + "_n"))
                        .as("%s in %s", stage, stages)
                        .isEqualTo(stages.get("base_n"));
                assertThat(stages.get(stage + "_total"))
                        .as("%s in %s", stage, stages)
                        .isEqualTo(stages.get("base_total"));
            }
            reads++;
        } while (writing.get());
        return reads;
    }
}
