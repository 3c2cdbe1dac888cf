package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;

/**
 * The statements that move a view of rows. {@code live} are the rows that arrived and were not there before as they are
 * now, left out or not: {@code c…, x…, rid, ok}. {@code touched} are the rows of the view that are not any more as they
 * were: {@code o…, row_id, file, pos}.
 */
final class RowSql {
    private final RowStage stage;
    private final ViewColumns columns;

    RowSql(ViewPlan plan, RowStage stage) {
        this.stage = stage;
        this.columns = new ViewColumns(plan);
    }

    /** The view's rows for these rows of the source, each judged. */
    String judged(Relation source) {
        String computed =
                "SELECT " + columns.computed(stage.outputs()) + ", __row_id AS rid FROM " + source.as("source")
                        + stage.where().map(where -> " WHERE " + where).orElse("");
        String judged = "SELECT " + Sql.list(columns.plain(), columns.judged(), "rid") + " FROM (" + computed + ")";
        return "SELECT *, (" + columns.kept() + ") AS ok FROM (" + judged + ")";
    }

    /** The rows that leave and the rows that arrive, paired by row id, without pairs that are the same. */
    String left(String leaving, String arriving) {
        return "SELECT " + renamed() + ", l.rid FROM " + leaving + " l LEFT JOIN " + arriving
                + " a ON a.rid = l.rid WHERE l.ok AND NOT (a.rid IS NOT NULL AND a.ok AND " + sameAs("l", "a") + ")";
    }

    String live(String leaving, String arriving) {
        return "SELECT a.*, true AS changed, false AS born FROM " + arriving + " a LEFT JOIN " + leaving
                + " l ON a.rid = l.rid WHERE l.rid IS NULL OR NOT (" + sameAs("l", "a") + ")";
    }

    /** Where the rows that leave are in the view's files. */
    String touched(String left, String state) {
        return "SELECT l.* EXCLUDE (rid), l.rid AS row_id, s.__file AS file, s.__pos AS pos FROM " + left + " l JOIN "
                + state + " s ON s.__row_id = l.rid";
    }

    private String renamed() {
        return Sql.join(stage.outputs().size(), ", ", i -> "l.c" + i + " AS o" + i);
    }

    private String sameAs(String left, String right) {
        return Sql.join(
                stage.outputs().size(), " AND ", i -> left + ".c" + i + " IS NOT DISTINCT FROM " + right + ".c" + i);
    }
}
