package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;

/** The statements that move a view of rows, up to its {@link Moves}. */
final class RowSql {
    private final RowStage stage;
    private final ViewColumns columns;
    private final long sequenceNumber;

    RowSql(ViewPlan plan, RowStage stage, long sequenceNumber) {
        this.stage = stage;
        this.columns = new ViewColumns(plan);
        this.sequenceNumber = sequenceNumber;
    }

    /** The view's rows for these rows of the source: {@code c…, x…, rid, ok}. */
    String judged(Relation source) {
        String computed =
                "SELECT " + columns.computed(stage.outputs()) + ", __row_id AS rid FROM " + source.as("source")
                        + stage.where().map(where -> " WHERE " + where).orElse("");
        String judged = "SELECT " + Sql.list(columns.plain(), columns.judged(), "rid") + " FROM (" + computed + ")";
        return "SELECT *, (" + columns.kept() + ") AS ok FROM (" + judged + ")";
    }

    /** The moves of rows that only arrive, of what is {@link #judged}. They have no past, and nothing asks for one. */
    Moves arrivals(String judged) {
        return new Moves("(SELECT *, true AS alive, true AS changed, true AS born, NULL::BIGINT AS row_id, "
                + sequenceNumber + " AS seq FROM " + judged + ")");
    }

    /**
     * The moves of rows that arrive and rows that leave, two {@link #judged} tables, paired by row id. A pair that is the
     * same moves nothing.
     */
    String pairs(String arriving, String leaving) {
        return "SELECT a.* EXCLUDE (rid, ok), coalesce(a.ok, false) AS ok, coalesce(a.rid, l.rid) AS rid, "
                + Sql.join(stage.outputs().size(), ", ", i -> "l.c" + i + " AS o" + i)
                + ", CASE WHEN l.ok THEN l.rid END AS row_id, a.rid IS NOT NULL AS alive, true AS changed,"
                + " l.ok IS NOT TRUE AS born, " + sequenceNumber + " AS seq FROM " + arriving + " a FULL JOIN "
                + leaving
                + " l ON a.rid = l.rid WHERE a.rid IS NULL OR l.rid IS NULL OR NOT (" + same() + ")";
    }

    private String same() {
        return Sql.join(stage.outputs().size(), " AND ", i -> "a.c" + i + " IS NOT DISTINCT FROM l.c" + i);
    }
}
