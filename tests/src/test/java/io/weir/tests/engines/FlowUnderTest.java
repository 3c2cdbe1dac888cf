package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.tests.fixtures.WeirServer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A table and the three stages that follow it, in a namespace of its own, in SQL that Spark, Trino and Weir take alike.
 * The last stage is a view over a grouped view.
 */
record FlowUnderTest(String namespace) {
    private static final String CLEAN = "SELECT id, region, amount FROM %s WHERE amount > 0";
    private static final String BY_REGION = "SELECT region, count(*) AS n, sum(amount) AS total, min(amount) AS low,"
            + " max(amount) AS high FROM %s GROUP BY region";
    private static final String TOTALS = "SELECT n, count(*) AS regions, sum(total) AS total, min(low) AS low,"
            + " max(high) AS high FROM %s GROUP BY n";

    String events() {
        return namespace + ".events";
    }

    String totals() {
        return namespace + ".totals";
    }

    /** Makes the stages; the table must be there. */
    void create(WeirServer weir) {
        weir.sql("CREATE MATERIALIZED VIEW " + namespace + ".clean AS " + CLEAN.formatted(events()) + ";"
                + "CREATE MATERIALIZED VIEW " + namespace + ".by_region AS "
                + BY_REGION.formatted(namespace + ".clean") + ";"
                + "CREATE MATERIALIZED VIEW " + totals() + " AS " + TOTALS.formatted(namespace + ".by_region"));
    }

    private String fromNothing() {
        String clean = "(" + CLEAN.formatted(events()) + ") c";
        return TOTALS.formatted("(" + BY_REGION.formatted(clean) + ") r");
    }

    private static String ordered(String query) {
        return "SELECT n, regions, total, low, high FROM (" + query + ") q ORDER BY n, regions";
    }

    /**
     * The last stage as this engine reads it is what the query gives from nothing, worked out by that engine and by
     * Weir, and Weir reads the same.
     */
    void assertMoved(WeirServer weir, String after, Function<String, Answer> engine) {
        List<List<Object>> expected = engine.apply(ordered(fromNothing())).rows();
        assertThat(expected).as("the query from nothing after %s", after).isNotEmpty();
        assertThat(engine.apply(ordered("SELECT * FROM " + totals())).rows())
                .as("the last stage, read by the engine after %s", after)
                .isEqualTo(expected);
        assertSeenByWeir(weir, after, expected);
    }

    /** The same for an engine without SQL: it only reads the stage. */
    void assertMovedByScan(WeirServer weir, String after, PyIcebergEngine python) {
        List<List<Object>> expected = weirs(weir, ordered(fromNothing()));
        assertThat(expected).as("the query from nothing after %s", after).isNotEmpty();
        Answer scan = python.scan(totals());
        List<String> columns = List.of("n", "regions", "total", "low", "high");
        List<List<Object>> read = scan.rows().stream()
                .map(row -> columns.stream()
                        .map(column -> row.get(scan.columns().indexOf(column)))
                        .toList())
                .sorted((a, b) -> Long.compare((Long) a.getFirst(), (Long) b.getFirst()))
                .toList();
        assertThat(read).as("the last stage, read by PyIceberg after %s", after).isEqualTo(expected);
        assertSeenByWeir(weir, after, expected);
    }

    private void assertSeenByWeir(WeirServer weir, String after, List<List<Object>> expected) {
        assertThat(weirs(weir, ordered(fromNothing())))
                .as("the query from nothing by Weir after %s", after)
                .isEqualTo(expected);
        assertThat(weirs(weir, ordered("SELECT * FROM " + totals())))
                .as("the last stage, read by Weir after %s", after)
                .isEqualTo(expected);
        List<List<Object>> ids = weirs(weir, "SELECT count(*) AS n, count(DISTINCT _row_id) AS ids FROM " + events());
        assertThat(ids.getFirst().get(0))
                .as("row ids after %s", after)
                .isEqualTo(ids.getFirst().get(1));
    }

    private static List<List<Object>> weirs(WeirServer weir, String query) {
        return weir.sql(query).stream()
                .map(row -> Arrays.stream(row.values().toArray())
                        .map(value -> value instanceof Integer whole ? (Object) whole.longValue() : value)
                        .toList())
                .toList();
    }
}
