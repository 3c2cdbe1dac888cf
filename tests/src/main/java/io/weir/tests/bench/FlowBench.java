package io.weir.tests.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.ParquetRows;
import io.weir.tests.fixtures.WeirProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * What a flow costs the writer who feeds it: an outside client writes a Parquet file and commits it through REST, to a
 * table that nothing follows and to one with three stages, in turn.
 */
final class FlowBench {
    private static final int WARM_UP = 150;
    private static final int SMALL_ROUNDS = 80;
    private static final int SMALL_ROWS = 1_000;
    private static final int LARGE_ROUNDS = 5;
    private static final int LARGE_APPENDS = 6;
    private static final int LARGE_ROWS = 100_000;

    private FlowBench() {}

    static void run(Figures figures) throws IOException {
        Path lake = Checkout.runFolder("bench-flow");
        try (WeirProcess weir = WeirProcess.local(lake);
                RESTCatalog catalog = weir.catalog()) {
            Random random = new Random(42);
            warmUp(weir, catalog, random);
            prepare(weir, "bench");
            Table plain = catalog.loadTable(TableIdentifier.of("bench", "plain"));
            Table followed = catalog.loadTable(TableIdentifier.of("bench", "followed"));
            small(figures, plain, followed, random);
            large(figures, plain, followed, random);
            check(weir);
        }
    }

    /** On tables of its own: those that are measured begin with no history. */
    private static void warmUp(WeirProcess weir, RESTCatalog catalog, Random random) {
        prepare(weir, "warm");
        Table plain = catalog.loadTable(TableIdentifier.of("warm", "plain"));
        Table followed = catalog.loadTable(TableIdentifier.of("warm", "followed"));
        for (int i = 0; i < WARM_UP; i++) {
            append(plain, rows(random, SMALL_ROWS));
            append(followed, rows(random, SMALL_ROWS));
        }
    }

    private static void prepare(WeirProcess weir, String schema) {
        weir.sql("CREATE SCHEMA " + schema);
        String columns = "(id BIGINT, site VARCHAR, sensor VARCHAR, value BIGINT, quality VARCHAR)";
        weir.sql("CREATE TABLE " + schema + ".plain " + columns);
        weir.sql("CREATE TABLE " + schema + ".followed " + columns);
        weir.sql("CREATE MATERIALIZED VIEW " + schema
                + ".clean (CONSTRAINT above_zero CHECK (value > 0) ON VIOLATION DROP ROW,"
                + " CONSTRAINT has_sensor EXPECT (sensor IS NOT NULL)) AS"
                + " SELECT id, site, sensor, value FROM " + schema + ".followed WHERE quality <> 'probe'");
        weir.sql("CREATE MATERIALIZED VIEW " + schema
                + ".per_sensor AS SELECT site, sensor, count(*) AS n, sum(value) AS total,"
                + " min(value) AS lo, max(value) AS hi FROM " + schema + ".clean GROUP BY site, sensor");
        weir.sql("CREATE MATERIALIZED VIEW " + schema + ".per_site AS SELECT site, sum(n) AS n, sum(total) AS total"
                + " FROM " + schema + ".per_sensor GROUP BY site");
    }

    private static List<Object[]> rows(Random random, int count) {
        List<Object[]> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int sensor = random.nextInt(500);
            rows.add(new Object[] {
                random.nextLong(),
                "site-" + sensor % 20,
                "sensor-" + sensor,
                (long) random.nextInt(-50, 1_000),
                random.nextInt(20) == 0 ? "probe" : "good"
            });
        }
        return rows;
    }

    /** Milliseconds from the first byte of the file to the acknowledged commit. */
    private static double append(Table table, List<Object[]> rows) {
        long start = System.nanoTime();
        DataFile file = ParquetRows.write(table, rows);
        table.newFastAppend().appendFile(file).commit();
        return (System.nanoTime() - start) / 1e6;
    }

    private static void small(Figures figures, Table plain, Table followed, Random random) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int i = 0; i < SMALL_ROUNDS; i++) {
            List<Object[]> rows = rows(random, SMALL_ROWS);
            without.add(append(plain, rows));
            with.add(append(followed, rows));
        }
        String name = "append of 1,000 rows";
        figures.add(name + ", no stage", "weir", "median", Figures.median(without), "ms");
        figures.add(name + ", no stage", "weir", "p95", Figures.percentile(without, 0.95), "ms");
        figures.add(name + ", three stages", "weir", "median", Figures.median(with), "ms");
        figures.add(name + ", three stages", "weir", "p95", Figures.percentile(with, 0.95), "ms");
        figures.add(name, "weir", "added by three stages", Figures.median(with) - Figures.median(without), "ms");
    }

    private static void large(Figures figures, Table plain, Table followed, Random random) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        for (int round = 0; round < LARGE_ROUNDS; round++) {
            List<List<Object[]>> batches = new ArrayList<>();
            for (int i = 0; i < LARGE_APPENDS; i++) {
                batches.add(rows(random, LARGE_ROWS));
            }
            double alone = throughput(plain, batches);
            double moving = throughput(followed, batches);
            without.add(alone);
            with.add(moving);
            shares.add(100 * (1 - moving / alone));
        }
        String name = "appends of 100,000 rows";
        figures.add(name + ", no stage", "weir", "median throughput", Figures.median(without), "rows/s");
        figures.add(name + ", three stages", "weir", "median throughput", Figures.median(with), "rows/s");
        figures.add(name, "weir", "taken by three stages", Figures.median(shares), "%");
    }

    private static double throughput(Table table, List<List<Object[]>> batches) {
        long start = System.nanoTime();
        batches.forEach(rows -> append(table, rows));
        return batches.size() * LARGE_ROWS / ((System.nanoTime() - start) / 1e9);
    }

    /** A benchmark of wrong answers measures nothing. */
    private static void check(WeirProcess weir) {
        JsonNode kept = weir.sql("SELECT site, sum(n)::BIGINT AS n, sum(total)::BIGINT AS total FROM bench.per_site"
                + " GROUP BY site ORDER BY site");
        JsonNode computed = weir.sql("SELECT site, count(*) AS n, sum(value)::BIGINT AS total FROM bench.followed"
                + " WHERE quality <> 'probe' AND value > 0 GROUP BY site ORDER BY site");
        if (!kept.equals(computed)) {
            throw new IllegalStateException("the flow is not exact: " + kept + " instead of " + computed);
        }
    }
}
