package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.Relation;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Moves a grouped view: joins what came and went to the groups there are, works out again those that cannot be moved,
 * and writes the groups as they are now. A group keeps its row id while it lives, and its sequence number while its row
 * stays the same, even where its state does not.
 */
final class GroupAdvance {
    private final StageContext context;
    private final ViewSettings settings;
    private final GroupSql sql;
    private final GroupState state;
    private final Supplier<TableRows> after;

    GroupAdvance(
            StageContext context,
            ViewSettings settings,
            GroupStage stage,
            GroupState state,
            Supplier<TableRows> after) {
        this.context = context;
        this.settings = settings;
        this.sql = new GroupSql(context.plan(), stage);
        this.state = state;
        this.after = after;
    }

    StageResult run(Delta delta) {
        if (delta.rows() == 0 && !state.isEmpty()) {
            return context.unchanged(context.nothing(), 0);
        }
        if (state.isEmpty() && delta.leaving().isEmpty() && delta.rows() > settings.directRows()) {
            return fill(delta);
        }
        String touched = context.table(sql.touched(delta, state.relation()));
        long[] counted =
                context.numbers("SELECT count(*), count(row_id), count(*) FILTER (WHERE redo) FROM " + touched);
        if (counted[0] == 0) {
            return context.unchanged(context.nothing(), delta.rows());
        }
        return move(delta, touched, counted[1], counted[2] > 0);
    }

    private StageResult move(Delta delta, String touched, long replaced, boolean redo) {
        Optional<String> redone = redo
                ? Optional.of(context.table(sql.fresh(rows(after.get()), Optional.of(sql.wanted(touched)))))
                : Optional.empty();
        String live = context.table(sql.live(sql.groups(touched, redone), context.target(), true));
        Tally tally = context.tally(live, Optional.of(touched));
        Optional<StageOutcome> violated = context.violated(live, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        if (replaced == 0 && tally.live() == 0) {
            return context.unchanged(tally, delta.rows());
        }
        return write(delta, touched, live, tally, replaced);
    }

    private Relation rows(TableRows rows) {
        return context.session().rows(rows, false);
    }

    private StageResult write(Delta delta, String touched, String live, Tally tally, long replaced) {
        Delta onward = context.delta(live, Optional.of(touched), tally);
        long rewritten = state.rows();
        long rows = rewritten - replaced + tally.live();
        Optional<WrittenFile> added;
        Map<String, long[]> positions;
        boolean whole = rewritten <= settings.rewriteRows() && rows <= settings.rewriteRows();
        if (whole) {
            String next = state.replace(touched, live, rows);
            added = context.write("SELECT * FROM " + next + " ORDER BY __pos", rows);
            positions = Map.of();
        } else {
            positions = context.positions(touched);
            added = context.write(context.stored(live, "ok") + " ORDER BY rid", tally.live());
            state.move(touched, live, tally.live(), rows);
        }
        return new StageResult(
                new StageOutcome.Moved(
                        added,
                        whole && rewritten > 0,
                        positions,
                        context.counts(tally),
                        delta.rows(),
                        tally.arrived() + tally.left(),
                        tally.born()),
                Optional.of(onward));
    }

    /** The first rows of a view, straight from the source's files to the new one. */
    private StageResult fill(Delta delta) {
        Relation source = context.plan().mayHideGroups() ? rows(after.get()) : delta.arriving();
        String groups = sql.withoutPast("(" + sql.fresh(source, Optional.empty()) + ")");
        String live = "(" + sql.live(groups, context.target(), false) + ")";
        Tally counted =
                context.plan().expectations().isEmpty() ? context.nothing() : context.tally(live, Optional.empty());
        Optional<StageOutcome> violated = context.violated(live, counted);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        WrittenFile file =
                context.write(context.stored(live, "ok"), delta.rows()).orElseThrow();
        long rows = file.recordCount();
        Optional<WrittenFile> added = rows == 0 ? Optional.empty() : Optional.of(file);
        Tally tally = new Tally(rows, rows, rows, 0, counted.broken());
        return new StageResult(
                new StageOutcome.Moved(added, false, Map.of(), context.counts(tally), delta.rows(), rows, rows),
                Optional.of(new Delta(context.written(file), Optional.empty(), rows)));
    }
}
