package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Relation;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Works out the change of a {@link From} from the changes of its tables, from the leaves up.
 *
 * <p>An inner join loses the pairs of which a row leaves, as the sides were before, and gains those of which a row arrives,
 * as they are now: each pair is met once, by its left row if that changed, else by its right one.
 *
 * <p>A side that a join keeps whether or not it finds a partner is looked at by <em>touched</em> rows: those that changed,
 * and those that meet a changed row of the other side. All that the join makes of the others is what it was, since every
 * partner they have is one that stayed. What the join made of touched rows leaves, what it makes of them now arrives.
 */
final class FromChanges {
    private final StageContext context;
    private final Inputs inputs;

    FromChanges(StageContext context, Inputs inputs) {
        this.context = context;
        this.inputs = inputs;
    }

    FromChange of(From from) {
        return switch (from) {
            case From.Scan scan -> scan(scan);
            case From.Join join -> join(join);
        };
    }

    private FromChange scan(From.Scan scan) {
        Supplier<String> now = () -> scanned(scan, inputs.rows(scan.source()));
        if (inputs.isWhole(scan.source())) {
            TableRows rows = inputs.after(scan.source());
            return FromChange.whole(now.get(), rows.recordCount());
        }
        Optional<Delta> delta = inputs.delta(scan.source());
        if (delta.isEmpty()) {
            return FromChange.unchanged(now);
        }
        String arriving = context.table(FromSql.scanned(scan, delta.get().arriving()));
        Optional<String> leaving = delta.get().leaving().map(left -> context.table(FromSql.scanned(scan, left)));
        return leaving.isPresent() && scan.isTold()
                ? changed(
                        scan,
                        now,
                        Optional.of(context.table(changedRows(scan, leaving.get(), arriving))),
                        Optional.of(context.table(changedRows(scan, arriving, leaving.get()))))
                : changed(scan, now, leaving, Optional.of(arriving));
    }

    private static String scanned(From.Scan scan, Relation rows) {
        return FromSql.parenthesized(FromSql.scanned(scan, rows));
    }

    /** Rows but for those that are on the other side too, and the same: a file was written anew. */
    private static String changedRows(From.Scan scan, String rows, String others) {
        String same = Sql.join(scan.read().size(), "", i -> {
            String column = Sql.name(scan.read().get(i).as());
            return " AND l." + column + " IS NOT DISTINCT FROM r." + column;
        });
        return "SELECT l.* FROM " + rows + " AS l ANTI JOIN " + others + " AS r ON l.__r0 = r.__r0" + same;
    }

    /** The change of which these tables hold the rows. */
    private FromChange changed(From from, Supplier<String> now, Optional<String> leaving, Optional<String> arriving) {
        return changed(
                now, coming -> FromSql.parenthesized(FromSql.without(from, now.get(), coming)), leaving, arriving);
    }

    private FromChange changed(
            Supplier<String> now, UnaryOperator<String> but, Optional<String> leaving, Optional<String> arriving) {
        long left = leaving.map(context::count).orElse(0L);
        long arrived = arriving.map(context::count).orElse(0L);
        Optional<String> coming = arriving.filter(_ -> arrived > 0);
        Supplier<String> kept = coming.isEmpty() ? now : () -> but.apply(coming.get());
        return new FromChange(kept, now, leaving.filter(_ -> left > 0), coming, false, left + arrived);
    }

    private FromChange join(From.Join join) {
        FromChange left = of(join.left());
        FromChange right = of(join.right());
        Supplier<String> now =
                () -> joined(join, join.kind(), left.now().get(), right.now().get());
        if (left.isWhole() && right.isWhole()) {
            return FromChange.whole(now.get(), left.rows() + right.rows());
        }
        if (left.isNothing() && right.isNothing()) {
            return FromChange.unchanged(now);
        }
        return switch (join.kind()) {
            case INNER -> inner(join, left, right, now);
            case LEFT, SEMI, ANTI -> {
                Optional<String> met = met(join, left, right);
                yield changed(
                        join,
                        now,
                        both(left.leaving(), met).map(rows -> table(joined(join, join.kind(), rows, right.before()))),
                        both(left.arriving(), met)
                                .map(rows -> table(joined(
                                        join, join.kind(), rows, right.now().get()))));
            }
            case RIGHT -> {
                Optional<String> met = met(join, right, left);
                yield changed(
                        join,
                        now,
                        both(right.leaving(), met).map(rows -> table(joined(join, join.kind(), left.before(), rows))),
                        both(right.arriving(), met)
                                .map(rows -> table(
                                        joined(join, join.kind(), left.now().get(), rows))));
            }
            case FULL -> full(join, left, right, now);
        };
    }

    private FromChange inner(From.Join join, FromChange left, FromChange right, Supplier<String> now) {
        Stream.Builder<String> was = Stream.builder();
        Stream.Builder<String> is = Stream.builder();
        left.leaving().ifPresent(rows -> was.add(joined(join, join.kind(), rows, right.before())));
        left.arriving()
                .ifPresent(rows ->
                        is.add(joined(join, join.kind(), rows, right.now().get())));
        right.leaving()
                .ifPresent(rows -> was.add(joined(join, join.kind(), left.kept().get(), rows)));
        right.arriving()
                .ifPresent(rows -> is.add(joined(join, join.kind(), left.kept().get(), rows)));
        return changed(
                now,
                _ -> joined(join, join.kind(), left.kept().get(), right.kept().get()),
                union(was).map(this::table),
                union(is).map(this::table));
    }

    /** Pairs and lonely rows of the left side, then the lonely rows of the right one. */
    private FromChange full(From.Join join, FromChange left, FromChange right, Supplier<String> now) {
        Optional<String> metLeft = met(join, left, right);
        Optional<String> metRight = met(join, right, left);
        Stream.Builder<String> was = Stream.builder();
        Stream.Builder<String> is = Stream.builder();
        both(left.leaving(), metLeft)
                .ifPresent(rows -> was.add(joined(join, From.JoinKind.LEFT, rows, right.before())));
        both(left.arriving(), metLeft)
                .ifPresent(rows -> is.add(
                        joined(join, From.JoinKind.LEFT, rows, right.now().get())));
        both(right.leaving(), metRight).ifPresent(rows -> was.add(lonely(join, left.before(), rows)));
        both(right.arriving(), metRight)
                .ifPresent(rows -> is.add(lonely(join, left.now().get(), rows)));
        return changed(join, now, union(was).map(this::table), union(is).map(this::table));
    }

    private static String lonely(From.Join join, String left, String right) {
        String none = Sql.join(join.left().ids(), " AND ", i -> "__r" + i + " IS NULL");
        return "(SELECT * FROM " + joined(join, From.JoinKind.RIGHT, left, right) + " WHERE " + none + ")";
    }

    /** The rows of a side that stayed and meet a row of the other that changed. */
    private Optional<String> met(From.Join join, FromChange side, FromChange other) {
        return other.isNothing() || side.isWhole()
                ? Optional.empty()
                : Optional.of(context.table(FromSql.matching(join, side.kept().get(), other.changed())));
    }

    private static Optional<String> both(Optional<String> changed, Optional<String> met) {
        return union(Stream.<String>builder().add(changed.orElse("")).add(met.orElse("")));
    }

    private static Optional<String> union(Stream.Builder<String> relations) {
        List<String> some =
                relations.build().filter(relation -> !relation.isEmpty()).toList();
        return some.isEmpty() ? Optional.empty() : Optional.of(FromChange.union(some.stream()));
    }

    private String table(String rows) {
        return context.table("SELECT * FROM " + rows);
    }

    private static String joined(From.Join join, From.JoinKind kind, String left, String right) {
        return FromSql.parenthesized(FromSql.joined(join, kind, left, right));
    }
}
