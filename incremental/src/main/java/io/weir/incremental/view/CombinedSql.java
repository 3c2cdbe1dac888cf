package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;

/** The statements that move a view of combined rows, up to its {@link Moves}. */
final class CombinedSql {
    private final CombinedStage stage;
    private final ViewColumns columns;
    private final ViewTarget target;

    CombinedSql(ViewPlan plan, CombinedStage stage, ViewTarget target) {
        this.stage = stage;
        this.columns = new ViewColumns(plan);
        this.target = target;
    }

    private int ids() {
        return stage.identity().size();
    }

    private String id(int i) {
        return Sql.name(stage.identity().get(i));
    }

    /** The view's rows for these combined ones: {@code c…, x…}, their identity, {@code ok}. */
    String judged(Relation source) {
        String identity = Sql.join(ids(), ", ", i -> "__r" + i + " AS " + id(i));
        String computed = "SELECT " + columns.computed(stage.outputs()) + ", " + identity + " FROM "
                + source.as("source")
                + stage.where().map(where -> " WHERE " + where).orElse("");
        String judged = "SELECT "
                + Sql.list(columns.plain(), columns.judged(), Sql.join(ids(), ", ", this::id)) + " FROM (" + computed
                + ")";
        return "SELECT *, (" + columns.kept() + ") AS ok FROM (" + judged + ")";
    }

    /** The moves of {@link #judged} rows that only arrive. */
    Moves arrivals(String judged) {
        return new Moves("(SELECT *, true AS alive, true AS changed, true AS born, NULL::BIGINT AS row_id, "
                + newId("ok") + " AS rid, " + target.sequenceNumber() + " AS seq FROM " + judged + ")");
    }

    /**
     * The moves of rows that arrive and rows that leave, two {@link #judged} tables, paired by identity and with the row ids
     * that the view's {@code state} has for them. A pair that is the same moves nothing.
     */
    String pairs(String arriving, String leaving, String state) {
        String same = Sql.join(stage.outputs().size(), " AND ", i -> "a.c" + i + " IS NOT DISTINCT FROM l.c" + i);
        String paired =
                "SELECT a.* EXCLUDE (ok, " + Sql.join(ids(), ", ", this::id) + "), coalesce(a.ok, false) AS ok, "
                        + Sql.join(ids(), ", ", i -> "coalesce(a." + id(i) + ", l." + id(i) + ") AS " + id(i)) + ", "
                        + Sql.join(stage.outputs().size(), ", ", i -> "l.c" + i + " AS o" + i)
                        + ", a.ok IS NOT NULL AS alive, coalesce(l.ok, false) AS was FROM " + arriving + " a FULL JOIN "
                        + leaving
                        + " l ON " + sameRow("a", "l") + " WHERE a.ok IS NULL OR l.ok IS NULL OR NOT (" + same + ")";
        String found = "SELECT p.*, CASE WHEN p.was = (s.__row_id IS NOT NULL) THEN s.__row_id"
                + " ELSE error('the view and its sources do not agree on which rows it has') END AS row_id FROM ("
                + paired + ") p LEFT JOIN " + state + " s ON " + sameRow("p", "s");
        return "SELECT * EXCLUDE (was), NOT was AS born, true AS changed, CASE WHEN was THEN row_id ELSE "
                + newId("NOT was AND ok") + " END AS rid, " + target.sequenceNumber() + " AS seq FROM (" + found + ")";
    }

    private String sameRow(String one, String other) {
        return Sql.join(ids(), " AND ", i -> one + "." + id(i) + " IS NOT DISTINCT FROM " + other + "." + id(i));
    }

    /** The next free row id for each row of which the condition holds, in their order. */
    private String newId(String condition) {
        return "CAST(" + (target.nextRowId() - 1) + " + sum(CASE WHEN " + condition
                + " THEN 1 ELSE 0 END) OVER (ROWS UNBOUNDED PRECEDING) AS BIGINT)";
    }
}
