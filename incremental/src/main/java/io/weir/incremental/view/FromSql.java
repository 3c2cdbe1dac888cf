package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.function.Function;

/** The rows of a {@link From} as SQL: its columns, then its identity as {@code __r0, __r1, …}. */
final class FromSql {
    private FromSql() {}

    /** All its rows; {@code rows} are each table's, with {@code __row_id}. */
    static String rows(From from, Function<From.Scan, Relation> rows) {
        return switch (from) {
            case From.Scan scan -> scanned(scan, rows.apply(scan));
            case From.Join join ->
                joined(
                        join,
                        join.kind(),
                        parenthesized(rows(join.left(), rows)),
                        parenthesized(rows(join.right(), rows)));
        };
    }

    /** Rows of a table as the tree has them. */
    static String scanned(From.Scan scan, Relation rows) {
        String columns = Sql.join(
                scan.read().size(),
                ", ",
                i -> Sql.name(scan.read().get(i).name()) + " AS "
                        + Sql.name(scan.read().get(i).as()));
        return "SELECT " + Sql.list(columns, "__row_id AS __r0") + " FROM " + rows.as("t");
    }

    /** Two relations joined as {@code kind}, which may be another than the join's own. */
    static String joined(From.Join join, From.JoinKind kind, String left, String right) {
        String columns = Sql.list(
                names(join.left()),
                join.showsRight() ? names(join.right()) : "",
                ids(join.left().ids(), "l.", 0),
                join.showsRight() ? ids(join.right().ids(), "r.", join.left().ids()) : "");
        return "SELECT " + columns + " FROM " + left + " AS l " + kind + " JOIN " + right + " AS r ON "
                + condition(join);
    }

    /** The rows of one side for which there is one on the other. */
    static String matching(From.Join join, String side, String other) {
        return "SELECT l.* FROM " + side + " AS l SEMI JOIN " + other + " AS r ON " + condition(join);
    }

    /** The rows but for those of which {@code others} has the identity. */
    static String without(From from, String rows, String others) {
        return "SELECT l.* FROM " + rows + " AS l ANTI JOIN " + others + " AS r ON " + sameRow(from.ids(), "l", "r");
    }

    /** Whether two rows have the same identity. */
    static String sameRow(int ids, String one, String other) {
        return Sql.join(ids, " AND ", i -> one + ".__r" + i + " IS NOT DISTINCT FROM " + other + ".__r" + i);
    }

    /** {@code __r0, __r1, …} */
    static String ids(int ids) {
        return Sql.join(ids, ", ", i -> "__r" + i);
    }

    static String parenthesized(String sql) {
        return "(" + sql + ")";
    }

    private static String condition(From.Join join) {
        return join.condition().orElse("true");
    }

    private static String names(From from) {
        return Sql.join(
                from.columns().size(), ", ", i -> Sql.name(from.columns().get(i)));
    }

    private static String ids(int ids, String prefix, int first) {
        return Sql.join(ids, ", ", i -> prefix + "__r" + i + " AS __r" + (first + i));
    }
}
