package io.weir.incremental.view;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weir.incremental.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random views over random histories: after every commit each view equals its query run from nothing. */
class RandomHistoryTest {
    private static final Schema BASE = new Schema(
            optional(1, "id", Types.LongType.get()),
            optional(2, "k", Types.StringType.get()),
            optional(3, "b", Types.BooleanType.get()),
            optional(4, "i", Types.IntegerType.get()),
            optional(5, "d", Types.DecimalType.of(9, 2)),
            optional(6, "e", Types.DecimalType.of(18, 4)),
            optional(7, "f", Types.DoubleType.get()),
            optional(8, "t", Types.DateType.get()),
            optional(9, "ts", Types.TimestampType.withZone()));

    private static final int MOST_ROWS_JOINED = 25;

    private static final List<ViewSettings> SETTINGS = List.of(
            ViewSettings.standard(),
            new ViewSettings(0, 20_000, 50_000, 0, 0, 0),
            new ViewSettings(0, 0, 50_000, 1_000_000, 1_000_000, 0),
            new ViewSettings(4, 2, 50_000, 1_000_000, 20, 0),
            new ViewSettings(5_000, 0, 2, 1_000_000, 1_000_000, 0),
            new ViewSettings(3, 0, 0, 0, 0, 0),
            new ViewSettings(5_000, 0, 50_000, 1_000_000, 1_000_000, 1 << 20),
            new ViewSettings(5_000, 0, 2, 1_000_000, 1_000_000, 1_000),
            new ViewSettings(6, 0, 50_000, 1_000_000, 20, 1 << 20));

    @TempDir
    Path folder;

    @Test
    void everyViewEqualsItsQueryFromNothingAfterEveryCommit() throws Exception {
        long first = Long.getLong("weir.seed", 1L);
        int histories = Integer.getInteger("weir.histories", 0);
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        int done = 0;
        try (Engine engine = TestLake.engine(folder)) {
            for (long seed = first; histories > 0 ? done < histories : System.nanoTime() < deadline; seed++) {
                try {
                    history(engine, seed);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "seed " + seed + "; repeat it with: mvn -pl incremental test -Dtest=RandomHistoryTest"
                                    + " -Dweir.histories=1 -Dweir.seed=" + seed + "\n" + e.getMessage(),
                            e);
                }
                done++;
            }
        }
        System.out.println(done + " histories");
    }

    private void history(Engine engine, long seed) throws Exception {
        Random random = new Random(seed);
        RandomViews generator = new RandomViews(random);
        Path own = Files.createDirectory(folder.resolve("h" + seed));
        TestLake lake = new TestLake(engine, own, SETTINGS.get(random.nextInt(SETTINGS.size())));
        List<String> log = new ArrayList<>();
        lake.createTable("ns.t", BASE);
        lake.begin().insert("ns.t", generator.rows(BASE, random.nextInt(1, 8))).commit();
        lake.createTable("ns.u", BASE);
        lake.begin().insert("ns.u", generator.rows(BASE, random.nextInt(1, 6))).commit();
        List<String> sources = new ArrayList<>(List.of("ns.t", "ns.u"));
        for (int v = 0; v < 6; v++) {
            String name = "ns.v" + v;
            String sql = random.nextBoolean()
                    ? generator.join(schemas(lake, sources, MOST_ROWS_JOINED))
                    : query(lake, generator, sources.get(random.nextInt(sources.size())));
            create(lake, generator, name, sql, log).ifPresent(sources::add);
            check(lake, log);
        }
        int commits = random.nextInt(4, 9);
        for (int c = 0; c < commits; c++) {
            step(lake, generator, random, log);
            check(lake, log);
        }
        lake.begin()
                .delete("ns.t", "true")
                .delete("ns.u", "true")
                .commit()
                .ifPresent(outcome -> fail("emptying failed: " + outcome));
        log.add("delete everything");
        check(lake, log);
    }

    private static Map<String, Schema> schemas(TestLake lake, List<String> names, int most) {
        Map<String, Schema> schemas = new TreeMap<>();
        names.stream()
                .filter(name -> lake.rows(name).size() <= most)
                .forEach(name -> schemas.put(name, lake.table(name).schema));
        return schemas;
    }

    private static String query(TestLake lake, RandomViews generator, String source) {
        return generator.query(source, lake.table(source).schema);
    }

    private static Optional<String> create(
            TestLake lake, RandomViews generator, String name, String sql, List<String> log) {
        log.add(name + ": " + sql);
        StageOutcome outcome = lake.createView(name, sql, generatedConstraints(lake, generator, name, sql, log));
        return outcome instanceof StageOutcome.Moved || outcome instanceof StageOutcome.Unchanged
                ? Optional.of(name)
                : Optional.empty();
    }

    private static Constraint[] generatedConstraints(
            TestLake lake, RandomViews generator, String name, String sql, List<String> log) {
        Schema columns = new ViewCompiler(lake.engine)
                .compile(ViewDefinition.of(name, sql), schemas(lake, lake.tableNames(), Integer.MAX_VALUE))
                .schema();
        List<Constraint> constraints = generator.constraints(columns);
        log.add("  " + constraints);
        return constraints.toArray(Constraint[]::new);
    }

    private static void step(TestLake lake, RandomViews generator, Random random, List<String> log) {
        TestLake.Commit commit = lake.begin();
        int writes = random.nextInt(1, 4);
        for (int w = 0; w < writes; w++) {
            String table = random.nextBoolean() ? "ns.t" : "ns.u";
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    String rows = generator.rows(BASE, random.nextInt(1, 6));
                    log.add("insert " + table + " " + rows);
                    commit.insert(table, rows);
                }
                case 3, 4 -> {
                    String set = generator.assignment(BASE);
                    String where = generator.condition(BASE);
                    log.add("update " + table + " " + set + " where " + where);
                    commit.update(table, set, where);
                }
                case 5, 6 -> {
                    String where = generator.condition(BASE);
                    log.add("delete " + table + " where " + where);
                    commit.delete(table, where);
                }
                default -> {
                    log.add("rewrite " + table);
                    commit.rewrite(table);
                }
            }
        }
        log.add("commit");
        commit.commit().ifPresent(outcome -> fail(String.join("\n", log) + "\nrefused: " + outcome));
    }

    private static void check(TestLake lake, List<String> log) {
        for (String view : lake.viewNames()) {
            List<List<Object>> expected = lake.expected(view);
            List<List<Object>> actual = lake.rows(view);
            if (!sameRows(expected, actual)) {
                fail(view + " is\n" + actual + "\nnot\n" + expected + "\nafter\n" + String.join("\n", log) + "\nplan "
                        + lake.view(view).plan);
            }
            if (lake.view(view).plan.labels().size() > 1) {
                List<List<Object>> asWritten = lake.expectedOfText(view);
                if (!sameRows(asWritten, actual)) {
                    fail(view + " is\n" + actual + "\nnot, as it was written,\n" + asWritten + "\nafter\n"
                            + String.join("\n", log));
                }
            }
            List<List<Object>> ids =
                    lake.query(view, "SELECT count(*), count(DISTINCT __row_id), coalesce(max(__row_id), -1) FROM t");
            assertThat(ids.getFirst().get(1))
                    .as("row ids of %s after %s", view, log)
                    .isEqualTo(ids.getFirst().get(0));
        }
    }

    private static boolean sameRows(List<List<Object>> expected, List<List<Object>> actual) {
        List<List<Object>> left = new ArrayList<>(actual);
        for (List<Object> row : expected) {
            Optional<List<Object>> match =
                    left.stream().filter(other -> sameRow(row, other)).findFirst();
            if (match.isEmpty()) {
                return false;
            }
            left.remove(match.get());
        }
        return left.isEmpty();
    }

    private static boolean sameRow(List<Object> expected, List<Object> actual) {
        for (int i = 0; i < expected.size(); i++) {
            if (!same(expected.get(i), actual.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(Object expected, Object actual) {
        if (expected instanceof Double left && actual instanceof Double right) {
            return left.equals(right)
                    || left.doubleValue() == right.doubleValue()
                    || Math.abs(left - right) <= 1e-9 * Math.max(Math.abs(left), Math.abs(right));
        }
        return Objects.equals(expected, actual);
    }
}
