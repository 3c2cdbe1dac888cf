package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The statements that move a grouped view, in layers: {@code touched} joins what came and went to the groups there are,
 * {@code groups} has the groups as they are now, {@code moves} what becomes of the view's rows.
 */
final class GroupSql {
    private final ViewPlan plan;
    private final GroupStage stage;
    private final ViewColumns columns;
    private final boolean located;

    /** @param located whether it must be known where in the view's files its rows are */
    GroupSql(ViewPlan plan, GroupStage stage, boolean located) {
        this.located = located;
        this.plan = plan;
        this.stage = stage;
        this.columns = new ViewColumns(plan);
    }

    private int keys() {
        return stage.keys().size();
    }

    private int measures() {
        return stage.measures().size();
    }

    /** All groups of a source: {@code k…, n, m…}; with {@code only}, a relation of {@code q…}, those whose keys it has. */
    String fresh(Relation source, Optional<String> only) {
        String rows = Sql.filtered("(" + source.sql() + ")", stage.where()) + " AS source";
        String semi = only.isPresent() && keys() > 0
                ? " SEMI JOIN " + only.get() + " AS wanted ON "
                        + Sql.join(keys(), " AND ", i -> stage.keys().get(i).sql() + " IS NOT DISTINCT FROM __q" + i)
                : "";
        return "SELECT "
                + Sql.list(
                        keyExpressions(),
                        "count(*) AS n",
                        Sql.join(measures(), ", ", i -> fresh(stage.measures().get(i)) + " AS m" + i))
                + " FROM " + rows + semi + groupBy();
    }

    private static String fresh(Measure measure) {
        return switch (measure) {
            case Measure.Count count -> "count(" + count.argument() + ")";
            case Measure.Sum sum -> sumOf(sum, "");
            case Measure.Least least -> "min(" + least.argument() + ")";
            case Measure.Greatest greatest -> "max(" + greatest.argument() + ")";
            case Measure.Whole whole -> whole.argument();
        };
    }

    private static String sumOf(Measure.Sum sum, String filter) {
        return "coalesce(" + Sql.cast("sum(" + sum.argument() + ")" + filter, sum.duckType()) + ", "
                + Sql.cast("0", sum.duckType()) + ")";
    }

    private String keyExpressions() {
        return Sql.join(keys(), ", ", i -> stage.keys().get(i).sql() + " AS k" + i);
    }

    private String keyNames(String prefix) {
        return Sql.join(keys(), ", ", i -> prefix + "k" + i);
    }

    private String groupBy() {
        return keys() == 0 ? "" : " GROUP BY " + Sql.join(keys(), ", ", i -> Integer.toString(i + 1));
    }

    /**
     * The groups a change touches, with what the view has of them: {@code k…, n, m…, o…, row_id, seq, redo}, and
     * {@code file, pos} where they are {@code located}. {@code redo} says that the group must be worked out again.
     */
    String touched(Delta delta, String state) {
        if (stage.byKey()) {
            return touchedByKey(delta, state);
        }
        boolean leaving = delta.leaving().isPresent();
        String count = "coalesce(s." + Sql.name(stage.stored().count().orElseThrow()) + ", 0) + d.n";
        return "SELECT "
                + Sql.list(
                        keyNames("d."),
                        count + " AS n",
                        Sql.join(measures(), ", ", i -> merged(i) + " AS m" + i),
                        columns.old("s"),
                        position(),
                        redo(count, leaving) + " AS redo")
                + " FROM (" + change(delta) + ") d LEFT JOIN " + state + " s ON " + onState();
    }

    /**
     * What came to each touched group less what went: {@code k…, n, m…}, and {@code w…} for extremes where something went.
     */
    String change(Delta delta) {
        boolean leaving = delta.leaving().isPresent();
        String filter = leaving ? " FILTER (WHERE __w > 0)" : "";
        String minus = " FILTER (WHERE __w < 0)";
        return "SELECT "
                + Sql.list(
                        keyExpressions(),
                        "count(*)" + filter + (leaving ? " - count(*)" + minus : "") + " AS n",
                        Sql.join(measures(), ", ", i -> moved(stage.measures().get(i), i, filter, minus, leaving)))
                + " FROM " + Sql.filtered(signed(delta), stage.where()) + " AS source" + groupBy();
    }

    /** The keys of the groups a change touches, as {@link #wanted} has them. */
    String keysOf(Delta delta) {
        return "(SELECT DISTINCT "
                + (keys() == 0
                        ? "1 AS one"
                        : Sql.join(keys(), ", ", i -> stage.keys().get(i).sql() + " AS __q" + i))
                + " FROM " + Sql.filtered(signed(delta), stage.where()) + " AS source)";
    }

    private String touchedByKey(Delta delta, String state) {
        String rows = Sql.filtered(signed(delta), stage.where()) + " AS source";
        String touched = keys() == 0
                ? "SELECT 1 AS one FROM " + rows + " HAVING count(*) > 0 OR NOT EXISTS (FROM " + state + " s)"
                : "SELECT DISTINCT " + keyExpressions() + " FROM " + rows;
        return "SELECT " + Sql.list(keyNames("d."), columns.old("s"), position(), "true AS redo") + " FROM (" + touched
                + ") d LEFT JOIN " + state + " s ON " + onState();
    }

    private String position() {
        return "s.__row_id AS row_id, s.__seq AS seq" + (located ? ", s.__file AS file, s.__pos AS pos" : "");
    }

    /** What {@link #position} gives. */
    private String place() {
        return "row_id, seq" + (located ? ", file, pos" : "");
    }

    private static String signed(Delta delta) {
        return delta.leaving()
                .map(leaving -> "(SELECT *, 1 AS __w FROM " + delta.arriving().as("a")
                        + " UNION ALL SELECT *, -1 AS __w FROM " + leaving.as("l") + ")")
                .orElseGet(() -> "(" + delta.arriving().sql() + ")");
    }

    /** A measure of what came and went: one signed number, or what came ({@code m}) and what went ({@code w}). */
    private static String moved(Measure measure, int i, String plus, String minus, boolean leaving) {
        return switch (measure) {
            case Measure.Count count -> {
                String call = "count(" + count.argument() + ")";
                yield call + plus + (leaving ? " - " + call + minus : "") + " AS m" + i;
            }
            case Measure.Sum sum -> sumOf(sum, plus) + (leaving ? " - " + sumOf(sum, minus) : "") + " AS m" + i;
            case Measure.Least least -> extreme("min(" + least.argument() + ")", i, plus, minus, leaving);
            case Measure.Greatest greatest -> extreme("max(" + greatest.argument() + ")", i, plus, minus, leaving);
            case Measure.Whole whole -> throw new IllegalStateException("a whole aggregate does not move: " + whole);
        };
    }

    private static String extreme(String call, int i, String plus, String minus, boolean leaving) {
        return call + plus + " AS m" + i + (leaving ? ", " + call + minus + " AS w" + i : "");
    }

    private String merged(int i) {
        String old = "s." + Sql.name(stage.stored().measures().get(i));
        return switch (stage.measures().get(i)) {
            case Measure.Count count -> "coalesce(" + old + ", 0) + d.m" + i;
            case Measure.Sum sum ->
                "coalesce(" + Sql.cast(old, sum.duckType()) + ", " + Sql.cast("0", sum.duckType()) + ") + d.m" + i;
            case Measure.Least least -> better(Sql.cast(old, least.duckType()), i, "<");
            case Measure.Greatest greatest -> better(Sql.cast(old, greatest.duckType()), i, ">");
            case Measure.Whole whole -> throw new IllegalStateException("a whole aggregate is not merged: " + whole);
        };
    }

    private static String better(String old, int i, String than) {
        return "CASE WHEN d.m" + i + " IS NULL THEN " + old + " WHEN " + old + " IS NULL OR d.m" + i + " " + than + " "
                + old + " THEN d.m" + i + " ELSE " + old + " END";
    }

    /**
     * A hidden group has no state, so that nothing is known of it, not even whether what is left of it is anything. A group
     * that lost its extreme does not know the next one.
     */
    private String redo(String count, boolean leaving) {
        StringBuilder lost = new StringBuilder("false");
        for (int i = 0; leaving && i < measures(); i++) {
            String old = Sql.cast(
                    "s." + orEmpty(stage.stored().measures(), i),
                    stage.measures().get(i).duckType());
            switch (stage.measures().get(i)) {
                case Measure.Least least -> lost.append(lost(old, i, "<=", ">"));
                case Measure.Greatest greatest -> lost.append(lost(old, i, ">=", "<"));
                case Measure.Count count1 -> {}
                case Measure.Sum sum -> {}
                case Measure.Whole whole -> {}
            }
        }
        String known = stage.isGlobal() ? "(" + lost + ")" : "((" + lost + ") AND " + count + " > 0)";
        return plan.mayHideGroups() ? "(s.__row_id IS NULL OR " + known + ")" : known;
    }

    private static String orEmpty(List<String> names, int i) {
        return Sql.name(names.get(i));
    }

    private static String lost(String old, int i, String reached, String worse) {
        return " OR (d.w" + i + " IS NOT NULL AND (" + old + " IS NULL OR (d.w" + i + " " + reached + " " + old
                + " AND (d.m" + i + " IS NULL OR d.m" + i + " " + worse + " " + old + "))))";
    }

    private String onState() {
        return keys() == 0
                ? "true"
                : Sql.join(
                        keys(),
                        " AND ",
                        i -> "d.k" + i + " IS NOT DISTINCT FROM "
                                + Sql.cast(
                                        "s." + Sql.name(stage.stored().keys().get(i)),
                                        stage.keys().get(i).duckType()));
    }

    /** Whether some group this touches may have to be worked out again. */
    boolean mayRedo(Delta delta) {
        boolean extremes = stage.measures().stream()
                .anyMatch(measure -> measure instanceof Measure.Least || measure instanceof Measure.Greatest);
        return stage.byKey()
                || plan.mayHideGroups()
                || (extremes && delta.leaving().isPresent());
    }

    /** The keys of the groups to be worked out again, as {@code __q…}. */
    String wanted(String touched) {
        return "(SELECT " + (keys() == 0 ? "1 AS one" : Sql.join(keys(), ", ", i -> "k" + i + " AS __q" + i)) + " FROM "
                + touched + " WHERE redo)";
    }

    /** The touched groups as they are now, {@code redone} ones from there. */
    String groups(String touched, Optional<String> redone) {
        if (redone.isEmpty()) {
            return touched;
        }
        String rest = columns.oldPlain() + ", " + place();
        String moved = "SELECT " + Sql.list(keyNames(""), "n", Sql.join(measures(), ", ", i -> "m" + i), rest)
                + " FROM " + touched + " WHERE NOT redo";
        String again = "SELECT "
                + Sql.list(
                        keyNames("t."),
                        "coalesce(r.n, 0) AS n",
                        Sql.join(measures(), ", ", i -> "r.m" + i + " AS m" + i),
                        rest)
                + " FROM " + touched + " t LEFT JOIN " + redone.get() + " r ON "
                + (keys() == 0 ? "true" : Sql.join(keys(), " AND ", i -> "t.k" + i + " IS NOT DISTINCT FROM r.k" + i))
                + " WHERE redo";
        return "(" + (stage.byKey() ? again : moved + " UNION ALL " + again) + ")";
    }

    /** Groups that were never there before. */
    String withoutPast(String groups) {
        return "(SELECT *, "
                + Sql.join(
                        plan.columns().size(),
                        ", ",
                        i -> Sql.cast("NULL", plan.columns().get(i).duckType()) + " AS o" + i)
                + ", NULL::BIGINT AS row_id, NULL::BIGINT AS seq"
                + (located ? ", NULL::VARCHAR AS file, NULL::BIGINT AS pos" : "") + " FROM "
                + groups + ")";
    }

    /**
     * What becomes of the view's rows of these groups, as {@link Moves} has it. A group that is gone, or that HAVING hides,
     * is not {@code alive}, and nothing of its row is computed. New rows take their ids from {@code nextRowId} on.
     */
    String moves(String groups, ViewTarget target) {
        String shown = judged(shown(groups));
        String ok = "alive AND " + columns.kept();
        String changed = "row_id IS NULL OR NOT (" + columns.same() + ")";
        return "SELECT "
                + Sql.list(
                        columns.plain(),
                        columns.oldPlain(),
                        hidden(),
                        columns.judgements(),
                        "alive, (" + ok + ") AS ok, (" + changed + ") AS changed, row_id IS NULL AS born, row_id",
                        located ? "file, pos" : "",
                        "CASE WHEN row_id IS NOT NULL THEN row_id ELSE " + (target.nextRowId() - 1)
                                + " + sum(CASE WHEN row_id IS NULL AND " + ok
                                + " THEN 1 ELSE 0 END) OVER (ROWS UNBOUNDED PRECEDING) END AS rid",
                        "CASE WHEN " + changed + " THEN " + target.sequenceNumber() + " ELSE seq END AS seq")
                + " FROM (" + shown + ")";
    }

    /**
     * The groups with {@code alive} and the view's columns. Each layer of a statement costs the engine planning time, so
     * there is one for the aggregates only where something is computed from them.
     */
    private String shown(String groups) {
        String exists = stage.isGlobal() ? "true" : "n > 0";
        boolean simple = stage.having().isEmpty() && stage.outputs().stream().allMatch(this::isPlain);
        if (simple) {
            List<String> outputs = stage.outputs().stream().map(this::inlined).toList();
            return "SELECT *, " + exists + " AS alive, " + columns.computedWhere(exists, outputs) + " FROM " + groups;
        }
        String aggregates = Sql.join(
                stage.aggregates().size(), ", ", i -> stage.aggregates().get(i) + " AS a" + i);
        String computed = "SELECT " + Sql.list("*", aggregates) + " FROM " + groups;
        String alive = stage.having()
                .map(having -> "CASE WHEN " + exists + " THEN coalesce(" + having + ", false) ELSE false END")
                .orElse(exists);
        String living = "SELECT *, " + alive + " AS alive FROM (" + computed + ")";
        return "SELECT *, " + columns.computedWhere("alive", stage.outputs()) + " FROM (" + living + ")";
    }

    private String judged(String shown) {
        String judged = columns.judged();
        return judged.isEmpty() ? shown : "SELECT *, " + judged + " FROM (" + shown + ")";
    }

    /** Whether a column shows a key or an aggregate as it is. */
    private boolean isPlain(String output) {
        return aggregate(output).isPresent() || IntStream.range(0, keys()).anyMatch(i -> output.equals("k" + i));
    }

    private Optional<String> aggregate(String output) {
        return IntStream.range(0, stage.aggregates().size())
                .filter(i -> output.equals("a" + i))
                .mapToObj(stage.aggregates()::get)
                .findFirst();
    }

    private String inlined(String output) {
        return aggregate(output).map(aggregate -> "(" + aggregate + ")").orElse(output);
    }

    /** {@code CAST(k0 AS …) AS "_weir_k0", …} */
    private String hidden() {
        return Sql.join(plan.hidden().size(), ", ", i -> {
            HiddenColumn column = plan.hidden().get(i);
            String state = column.name().substring(StateLayout.PREFIX.length());
            return Sql.cast(state, column.duckType()) + " AS " + Sql.name(column.name());
        });
    }
}
