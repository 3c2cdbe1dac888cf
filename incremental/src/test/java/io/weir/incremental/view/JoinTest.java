package io.weir.incremental.view;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Views over several sources, case by case. */
class JoinTest {
    private static final Schema ORDERS = new Schema(
            optional(1, "id", Types.StringType.get()),
            optional(2, "customer", Types.StringType.get()),
            optional(3, "amount", Types.LongType.get()));
    private static final Schema CUSTOMERS =
            new Schema(optional(1, "id", Types.StringType.get()), optional(2, "tier", Types.StringType.get()));
    private static final Schema TIERS =
            new Schema(optional(1, "tier", Types.StringType.get()), optional(2, "rate", Types.LongType.get()));

    @TempDir
    Path folder;

    private TestLake lake;

    @BeforeEach
    void makeTheTables() {
        lake = new TestLake(folder, ViewSettings.standard());
        lake.createTable("ns.orders", ORDERS);
        lake.createTable("ns.customers", CUSTOMERS);
        lake.createTable("ns.tiers", TIERS);
        lake.begin()
                .insert("ns.orders", orders("('o1','c1',10), ('o2','c2',20), ('o3','c9',30), ('o4',NULL,40)"))
                .insert("ns.customers", customers("('c1','silver'), ('c2','gold'), ('c3','gold')"))
                .insert("ns.tiers", "SELECT * FROM (VALUES ('silver',1), ('gold',2)) t(tier, rate)")
                .commit();
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private static String orders(String values) {
        return "SELECT * FROM (VALUES " + values + ") t(id, customer, amount)";
    }

    private static String customers(String values) {
        return "SELECT * FROM (VALUES " + values + ") t(id, tier)";
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    private void assertRows(String view, List<?>... rows) {
        assertThat(lake.rows(view)).isEqualTo(List.of(rows));
        assertThat(lake.expected(view)).isEqualTo(List.of(rows));
        assertThat(lake.expectedOfText(view)).isEqualTo(List.of(rows));
    }

    @Test
    void anInnerJoinFollowsBothSidesChangedInOneCommit() {
        lake.createView(
                "ns.v", "SELECT o.id, o.amount, c.tier FROM ns.orders o JOIN ns.customers c ON o.customer = c.id");
        assertRows("ns.v", row("o1", 10L, "silver"), row("o2", 20L, "gold"));

        lake.begin()
                .update("ns.orders", "amount + 1 AS amount", "id = 'o1'")
                .update("ns.customers", "'gold' AS tier", "id = 'c1'")
                .insert("ns.orders", orders("('o5','c4',50)"))
                .insert("ns.customers", customers("('c4','silver')"))
                .commit();

        assertRows("ns.v", row("o1", 11L, "gold"), row("o2", 20L, "gold"), row("o5", 50L, "silver"));
    }

    @Test
    void aRowKeepsItsRowIdWhileBothItsRowsStay() {
        lake.createView("ns.v", "SELECT o.id, c.tier FROM ns.orders o JOIN ns.customers c ON o.customer = c.id");
        List<List<Object>> before = lake.query("ns.v", "SELECT id, __row_id, __seq FROM t ORDER BY id");

        lake.begin().update("ns.customers", "'lead' AS tier", "id = 'c1'").commit();

        List<List<Object>> after = lake.query("ns.v", "SELECT id, __row_id, __seq FROM t ORDER BY id");
        assertThat(after.get(0).get(1)).isEqualTo(before.get(0).get(1));
        assertThat((Long) after.get(0).get(2))
                .isGreaterThan((Long) before.get(0).get(2));
        assertThat(after.get(1)).isEqualTo(before.get(1));
    }

    @Test
    void aLeftJoinGainsAndLosesPartners() {
        lake.createView("ns.v", "SELECT o.id, c.tier FROM ns.orders o LEFT JOIN ns.customers c ON o.customer = c.id");
        assertRows("ns.v", row("o1", "silver"), row("o2", "gold"), row("o3", null), row("o4", null));

        lake.begin()
                .insert("ns.customers", customers("('c9','new'), ('c9','newer')"))
                .delete("ns.customers", "id = 'c1'")
                .commit();
        assertRows("ns.v", row("o1", null), row("o2", "gold"), row("o3", "new"), row("o3", "newer"), row("o4", null));

        lake.begin().delete("ns.customers", "tier = 'new'").commit();
        assertRows("ns.v", row("o1", null), row("o2", "gold"), row("o3", "newer"), row("o4", null));

        lake.begin().delete("ns.customers", "id = 'c9'").commit();
        assertRows("ns.v", row("o1", null), row("o2", "gold"), row("o3", null), row("o4", null));
    }

    @Test
    void aFullJoinMovesWhenAKeyIsUpdatedOnEitherSide() {
        lake.createView(
                "ns.v", "SELECT o.id, c.id AS cid FROM ns.orders o FULL JOIN ns.customers c ON o.customer = c.id");
        assertRows("ns.v", row("o1", "c1"), row("o2", "c2"), row("o3", null), row("o4", null), row(null, "c3"));

        lake.begin()
                .update("ns.orders", "'c3' AS customer", "id IN ('o1', 'o4')")
                .update("ns.customers", "'c9' AS id", "id = 'c2'")
                .commit();
        assertRows("ns.v", row("o1", "c3"), row("o2", null), row("o3", "c9"), row("o4", "c3"), row(null, "c1"));
    }

    @Test
    void aRightJoinKeepsTheRightSide() {
        lake.createView(
                "ns.v",
                "SELECT c.id, sum(o.amount) AS total, count(o.id) AS n FROM ns.orders o RIGHT JOIN ns.customers c"
                        + " ON o.customer = c.id AND o.amount < 100 GROUP BY c.id");
        assertRows("ns.v", row("c1", 10L, 1L), row("c2", 20L, 1L), row("c3", null, 0L));

        lake.begin().update("ns.orders", "100 AS amount", "id = 'o2'").commit();
        assertRows("ns.v", row("c1", 10L, 1L), row("c2", null, 0L), row("c3", null, 0L));

        lake.begin()
                .update("ns.orders", "'c3' AS customer", "true")
                .delete("ns.customers", "id = 'c1'")
                .commit();
        assertRows("ns.v", row("c2", null, 0L), row("c3", 80L, 3L));
    }

    @Test
    void semiAndAntiJoinsFollowTheOtherSide() {
        lake.createView("ns.with", "SELECT o.id FROM ns.orders o SEMI JOIN ns.customers c ON o.customer = c.id");
        lake.createView("ns.without", "SELECT id FROM ns.orders o ANTI JOIN ns.customers c ON o.customer = c.id");

        lake.begin()
                .insert("ns.customers", customers("('c9','x'), ('c9','x')"))
                .delete("ns.customers", "id = 'c2'")
                .commit();
        assertRows("ns.with", row("o1"), row("o3"));
        assertRows("ns.without", row("o2"), row("o4"));

        lake.begin().delete("ns.customers", "id = 'c9'").commit();
        assertRows("ns.with", row("o1"));
        assertRows("ns.without", row("o2"), row("o3"), row("o4"));
    }

    @Test
    void threeLevelsMoveInOneCommit() {
        lake.createView(
                "ns.priced",
                "SELECT o.id, o.amount * t.rate AS price, c.id AS customer FROM ns.orders o, ns.customers c, ns.tiers t"
                        + " WHERE o.customer = c.id AND c.tier = t.tier");
        lake.createView(
                "ns.totals",
                "SELECT customer, sum(price) AS total, max(price) AS top FROM ns.priced GROUP BY customer");
        lake.createView(
                "ns.report",
                "SELECT c.id, t.total, c.tier FROM ns.customers c LEFT JOIN ns.totals t ON t.customer = c.id");
        assertRows("ns.report", row("c1", 10L, "silver"), row("c2", 40L, "gold"), row("c3", null, "gold"));

        lake.begin()
                .update("ns.tiers", "5 AS rate", "tier = 'gold'")
                .insert("ns.orders", orders("('o6','c3',7)"))
                .update("ns.customers", "'gold' AS tier", "id = 'c1'")
                .commit();
        assertRows("ns.report", row("c1", 50L, "gold"), row("c2", 100L, "gold"), row("c3", 35L, "gold"));

        lake.begin()
                .delete("ns.tiers", "true")
                .delete("ns.customers", "id = 'c2'")
                .commit();
        assertRows("ns.report", row("c1", null, "gold"), row("c3", null, "gold"));
    }

    @Test
    void aTableJoinsItself() {
        lake.createView(
                "ns.pairs",
                "SELECT a.id AS one, b.id AS other FROM ns.customers a JOIN ns.customers b ON a.tier = b.tier AND a.id < b.id");
        assertRows("ns.pairs", row("c2", "c3"));

        lake.begin()
                .update("ns.customers", "'gold' AS tier", "id = 'c1'")
                .insert("ns.customers", customers("('c4','gold')"))
                .commit();
        assertRows(
                "ns.pairs",
                row("c1", "c2"),
                row("c1", "c3"),
                row("c1", "c4"),
                row("c2", "c3"),
                row("c2", "c4"),
                row("c3", "c4"));
    }

    @Test
    void usingMakesOneColumnOfTwo() {
        lake.createView("ns.v", "SELECT * FROM ns.customers c FULL JOIN ns.tiers t USING (tier)");
        lake.createView("ns.n", "SELECT * FROM ns.customers c NATURAL JOIN ns.tiers t");
        lake.begin().update("ns.tiers", "'lead' AS tier", "tier = 'silver'").commit();

        assertThat(lake.view("ns.v").plan.columns().stream().map(OutputColumn::name))
                .containsExactly("id", "tier", "rate");
        assertRows(
                "ns.v", row("c1", "silver", null), row("c2", "gold", 2L), row("c3", "gold", 2L), row(null, "lead", 1L));
        assertRows("ns.n", row("c2", "gold", 2L), row("c3", "gold", 2L));
    }

    @Test
    void anExpectationJudgesJoinedRows() {
        lake.createView(
                "ns.v",
                "SELECT o.id, c.tier FROM ns.orders o LEFT JOIN ns.customers c ON o.customer = c.id",
                new Constraint("known", "tier IS NOT NULL", OnViolation.DROP));
        assertRowsOf("ns.v", row("o1", "silver"), row("o2", "gold"));
        assertThat(lake.view("ns.v").failedRows).containsExactlyEntriesOf(Map.of("known", 2L));

        lake.begin().insert("ns.customers", customers("('c9','new')")).commit();
        assertRowsOf("ns.v", row("o1", "silver"), row("o2", "gold"), row("o3", "new"));
        assertThat(lake.view("ns.v").failedRows).containsExactlyEntriesOf(Map.of("known", 2L));
    }

    private void assertRowsOf(String view, List<?>... rows) {
        assertThat(lake.rows(view)).isEqualTo(List.of(rows));
    }

    @Test
    void theStoredQueryCompilesToTheSamePlan() {
        String sql = "SELECT o.*, upper(tier) AS t FROM ns.orders AS o LEFT JOIN ns.customers c ON o.customer = c.id"
                + " JOIN ns.tiers USING (tier) WHERE rate > 0 AND o.amount < 1000";
        Map<String, Schema> schemas = Map.of("ns.orders", ORDERS, "ns.customers", CUSTOMERS, "ns.tiers", TIERS);
        ViewCompiler compiler = new ViewCompiler(lake.engine);

        ViewPlan plan = compiler.compile(ViewDefinition.of("ns.v", sql), schemas);
        ViewPlan again = compiler.compile(ViewDefinition.of("ns.v", plan.query()), schemas);

        assertThat(again).isEqualTo(plan);
        assertThat(plan.kind()).isEqualTo("join");
        assertThat(plan.sources()).containsExactlyInAnyOrder("ns.orders", "ns.customers", "ns.tiers");
    }

    @Test
    void aColumnThatTwoTablesHaveIsAmbiguous() {
        assertRefused("SELECT id FROM ns.orders o JOIN ns.customers c ON o.customer = c.id", "42702", "ambiguous");
        assertRefused("SELECT o.id FROM ns.orders o JOIN ns.customers c ON customer = id", "42702", "ambiguous");
        assertRefused("SELECT x.tier FROM ns.orders o JOIN ns.customers c ON o.customer = c.id", "42703", "x.tier");
        assertRefused("SELECT a.id FROM ns.orders a JOIN ns.customers a ON true", "42712", "twice");
        assertRefused("SELECT c.id FROM ns.orders o SEMI JOIN ns.customers c ON true", "42703", "c.id");
        assertRefused("SELECT * FROM ns.orders o JOIN ns.customers c ON true", "42701", "\"id\" is there twice");
        assertRefused("SELECT 1 AS x FROM ns.orders o POSITIONAL JOIN ns.customers c", "0A000", "POSITIONAL JOIN");
    }

    private void assertRefused(String sql, String code, String message) {
        assertThatThrownBy(() -> lake.createView("ns.refused", sql))
                .isInstanceOfSatisfying(
                        ViewException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
