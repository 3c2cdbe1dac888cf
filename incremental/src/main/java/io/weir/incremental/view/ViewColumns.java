package io.weir.incremental.view;

import java.util.List;

/**
 * The columns of a view as its stages compute them: {@code c0, c1, …} the view's own in the types they are stored in,
 * {@code o0, o1, …} the same as they were before, {@code x0, x1, …} whether the row meets each expectation.
 */
final class ViewColumns {
    private final ViewPlan plan;

    ViewColumns(ViewPlan plan) {
        this.plan = plan;
    }

    private int size() {
        return plan.columns().size();
    }

    /** {@code CAST(expression AS type) AS c0, …} */
    String computed(List<String> outputs) {
        return Sql.join(
                size(),
                ", ",
                i -> Sql.cast(outputs.get(i), plan.columns().get(i).duckType()) + " AS c" + i);
    }

    /** The same, NULL where the condition does not hold. */
    String computedWhere(String condition, List<String> outputs) {
        return Sql.join(
                size(),
                ", ",
                i -> "CASE WHEN " + condition + " THEN "
                        + Sql.cast(outputs.get(i), plan.columns().get(i).duckType()) + " END AS c" + i);
    }

    /** {@code c0, c1, …} */
    String plain() {
        return Sql.join(size(), ", ", i -> "c" + i);
    }

    /** {@code c0 AS "name", …} with the given letter. */
    String named(String letter) {
        return Sql.join(size(), ", ", i -> letter + i + " AS " + quoted(i));
    }

    /** {@code s."name" AS o0, …} */
    String old(String relation) {
        return Sql.join(size(), ", ", i -> relation + "." + quoted(i) + " AS o" + i);
    }

    /** {@code o0, o1, …} */
    String oldPlain() {
        return Sql.join(size(), ", ", i -> "o" + i);
    }

    /** Whether new and old are the same row. */
    String same() {
        return Sql.join(size(), " AND ", i -> "c" + i + " IS NOT DISTINCT FROM o" + i);
    }

    /** {@code …, (condition IS NOT FALSE) AS x0, …}, or nothing. */
    String judged() {
        return Sql.join(
                plan.expectations().size(),
                ", ",
                i -> "(" + plan.expectations().get(i).sql() + " IS NOT FALSE) AS x" + i);
    }

    String judgements() {
        return Sql.join(plan.expectations().size(), ", ", i -> "x" + i);
    }

    /** Whether no expectation leaves the row out. */
    String kept() {
        StringBuilder kept = new StringBuilder("true");
        for (int i = 0; i < plan.expectations().size(); i++) {
            if (plan.expectations().get(i).onViolation() == OnViolation.DROP) {
                kept.append(" AND x").append(i);
            }
        }
        return kept.toString();
    }

    private String quoted(int column) {
        return Sql.name(plan.columns().get(column).name());
    }
}
