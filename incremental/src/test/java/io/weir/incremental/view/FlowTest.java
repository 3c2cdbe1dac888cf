package io.weir.incremental.view;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flow of three stages with expectations, from its fill through inserts, updates and deletes. */
class FlowTest {
    private static final Schema READINGS = new Schema(
            optional(1, "id", Types.LongType.get()),
            optional(2, "site", Types.StringType.get()),
            optional(3, "sensor", Types.StringType.get()),
            optional(4, "value", Types.LongType.get()),
            optional(5, "quality", Types.StringType.get()));

    @TempDir
    Path folder;

    private TestLake lake;

    @BeforeEach
    void makeTheFlow() {
        lake = new TestLake(folder, ViewSettings.standard());
        lake.createTable("ns.readings", READINGS);
        insert(
                "(1,'north','a',10,'good'), (2,'north','b',-4,'good'), (3,'south',NULL,7,'good'), (4,'south','c',99,'probe')");
        lake.createView(
                "ns.clean",
                "SELECT id, site, sensor, value FROM ns.readings WHERE quality <> 'probe'",
                new Constraint("above_zero", "value > 0", OnViolation.DROP),
                new Constraint("has_sensor", "sensor IS NOT NULL", OnViolation.KEEP));
        lake.createView(
                "ns.per_sensor",
                "SELECT site, sensor, count(*) AS n, sum(value) AS total, min(value) AS lo, max(value) AS hi"
                        + " FROM ns.clean GROUP BY site, sensor");
        lake.createView(
                "ns.per_site", "SELECT site, sum(n) AS n, sum(total) AS total FROM ns.per_sensor GROUP BY site");
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private Optional<StageOutcome> insert(String values) {
        return lake.begin()
                .insert("ns.readings", "SELECT * FROM (VALUES " + values + ") t(id, site, sensor, value, quality)")
                .commit();
    }

    private void assertRows(String view, List<?>... rows) {
        assertThat(lake.rows(view)).isEqualTo(List.of(rows));
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    @Test
    void aViewIsFilledFromTheRowsAlreadyThere() {
        assertRows("ns.per_site", row("north", 1L, 10L), row("south", 1L, 7L));
        assertThat(lake.view("ns.clean").failedRows)
                .containsEntry("above_zero", 1L)
                .containsEntry("has_sensor", 1L);
    }

    @Test
    void anAppendMovesEveryStage() {
        assertThat(insert("(5,'north','a',30,'good'), (6,'west',NULL,1,'good')"))
                .isEmpty();

        assertRows("ns.per_site", row("north", 2L, 40L), row("south", 1L, 7L), row("west", 1L, 1L));
        assertRows(
                "ns.per_sensor",
                row("north", "a", 2L, 40L, 10L, 30L),
                row("south", null, 1L, 7L, 7L, 7L),
                row("west", null, 1L, 1L, 1L, 1L));
        assertThat(lake.view("ns.clean").failedRows)
                .containsEntry("above_zero", 1L)
                .containsEntry("has_sensor", 2L);
    }

    @Test
    void updatesAndDeletesMoveEveryStage() {
        insert("(5,'north','a',30,'good'), (6,'west',NULL,1,'good')");
        lake.begin().update("ns.readings", "value + 5 AS value", "id = 1").commit();

        assertRows(
                "ns.per_sensor",
                row("north", "a", 2L, 45L, 15L, 30L),
                row("south", null, 1L, 7L, 7L, 7L),
                row("west", null, 1L, 1L, 1L, 1L));

        lake.begin().delete("ns.readings", "id IN (5, 6)").commit();
        assertRows("ns.per_site", row("north", 1L, 15L), row("south", 1L, 7L));
    }

    @Test
    void aRowThatWasLeftOutEntersWhenItComesToMeetTheCondition() {
        lake.begin().update("ns.readings", "4 AS value", "id = 2").commit();

        assertRows("ns.per_site", row("north", 2L, 14L), row("south", 1L, 7L));
        assertThat(lake.view("ns.clean").failedRows).containsEntry("above_zero", 1L);
    }

    @Test
    void aFailingExpectationRefusesOnlyTheWriteThatBroughtTheRow() {
        lake.createView(
                "ns.strict",
                "SELECT id, value FROM ns.readings",
                new Constraint("sane", "value < 1000", OnViolation.FAIL));

        Optional<StageOutcome> refused = insert("(7,'north','a',5000,'good')");

        assertThat(refused).hasValueSatisfying(outcome -> {
            assertThat(outcome).isInstanceOf(StageOutcome.Violated.class);
            StageOutcome.Violated violated = (StageOutcome.Violated) outcome;
            assertThat(violated.constraint()).isEqualTo("sane");
            assertThat(violated.condition()).isEqualTo("value < 1000");
            assertThat(violated.row()).containsEntry("id", 7L).containsEntry("value", 5000L);
        });
        assertThat(lake.rows("ns.readings")).hasSize(4);
        assertThat(insert("(8,'north','a',6,'good')")).isEmpty();
        assertRows("ns.per_site", row("north", 2L, 16L), row("south", 1L, 7L));
        assertThat(lake.rows("ns.strict")).hasSize(5);
    }

    @Test
    void aViewWhoseFailingExpectationExistingRowsBreakIsRefused() {
        StageOutcome outcome = lake.createView(
                "ns.too_strict",
                "SELECT id, value FROM ns.readings",
                new Constraint("tiny", "value < 10", OnViolation.FAIL));

        assertThat(outcome).isInstanceOf(StageOutcome.Violated.class);
    }

    @Test
    void aGroupKeepsItsRowIdAndChangesItsSequenceOnlyWithItsRow() {
        List<List<Object>> before = lake.query("ns.per_site", "SELECT site, __row_id, __seq FROM t ORDER BY site");
        insert("(5,'north','a',30,'good')");
        List<List<Object>> after = lake.query("ns.per_site", "SELECT site, __row_id, __seq FROM t ORDER BY site");

        assertThat(after.get(0).get(1)).isEqualTo(before.get(0).get(1));
        assertThat((Long) after.get(0).get(2))
                .isGreaterThan((Long) before.get(0).get(2));
        assertThat(after.get(1)).isEqualTo(before.get(1));
    }

    @Test
    void aRowViewKeepsTheRowIdsOfItsSource() {
        lake.begin().update("ns.readings", "value + 5 AS value", "id = 1").commit();

        assertThat(lake.query("ns.clean", "SELECT id, __row_id FROM t ORDER BY id"))
                .isEqualTo(List.of(row(1L, 0L), row(3L, 2L)));
    }

    @Test
    void rowsThatAreOnlyRewrittenMoveNothing() {
        lake.begin().rewrite("ns.readings").commit();
        long token = lake.view("ns.clean").table.token;
        assertThat(token).isEqualTo(1);
        assertThat(lake.view("ns.per_sensor").table.token).isEqualTo(1);
    }

    @Test
    void aGroupThatIsHiddenAppearsWhenWhatItLosesMakesItMeetTheCondition() {
        lake.createView(
                "ns.pairs", "SELECT site, sum(value) AS total FROM ns.readings GROUP BY site HAVING count(*) = 2");
        insert("(5,'west','a',1,'good'), (6,'west','a',2,'good'), (7,'west','a',3,'good'), (8,'west','a',4,'good')");
        assertRows("ns.pairs", row("north", 6L), row("south", 106L));
        lake.begin().delete("ns.readings", "id IN (5, 6)").commit();
        assertRows("ns.pairs", row("north", 6L), row("south", 106L), row("west", 7L));
    }
}
