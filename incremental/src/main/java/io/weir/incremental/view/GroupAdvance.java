package io.weir.incremental.view;

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
    private final Supplier<Relation> after;

    GroupAdvance(
            StageContext context, ViewSettings settings, GroupStage stage, GroupState state, Supplier<Relation> after) {
        this.context = context;
        this.settings = settings;
        this.sql = new GroupSql(context.plan(), stage, !state.isCopied());
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
        Optional<String> groups = groups(delta);
        if (groups.isEmpty()) {
            return context.unchanged(context.nothing(), delta.rows());
        }
        Moves moves = new Moves(context.table(sql.moves(groups.get(), context.target())));
        Tally tally = context.tally(moves);
        Optional<StageOutcome> violated = context.violated(moves, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        return tally.replaced() == 0 && tally.live() == 0
                ? context.unchanged(tally, delta.rows())
                : write(delta, moves, tally);
    }

    /** The touched groups as they are now; empty where there are none. */
    private Optional<String> groups(Delta delta) {
        String touched = sql.touched(delta, state.relation());
        if (!sql.mayRedo(delta)) {
            return Optional.of("(" + touched + ")");
        }
        String table = context.table(touched);
        long[] counted = context.numbers("SELECT count(*), count(*) FILTER (WHERE redo) FROM " + table);
        if (counted[0] == 0) {
            return Optional.empty();
        }
        Optional<String> redone = counted[1] == 0
                ? Optional.empty()
                : Optional.of(context.table(sql.fresh(after.get(), Optional.of(sql.wanted(table)))));
        return Optional.of(sql.groups(table, redone));
    }

    private StageResult write(Delta delta, Moves moves, Tally tally) {
        long before = state.rows();
        long rows = before - tally.replaced() + tally.live();
        boolean whole = before <= settings.rewriteRows() && rows <= settings.rewriteRows();
        Map<String, long[]> positions = whole ? Map.of() : positions(moves);
        String stored = whole ? state.after(moves) : context.stored(moves, "ok");
        GroupState.Next next = whole ? state.replace(moves) : state.move(moves);
        Optional<PendingFile> added = context.write(stored + " ORDER BY __row_id", whole ? rows : tally.live());
        state.becomes(next, rows, context.afterwards(next.work()));
        return new StageResult(
                new StageOutcome.Moved(
                        added,
                        whole && before > 0,
                        positions,
                        context.counts(tally),
                        delta.rows(),
                        tally.arrived() + tally.left(),
                        tally.born()),
                Optional.of(moves.delta(context.columns(), tally)));
    }

    private Map<String, long[]> positions(Moves moves) {
        return context.positions(
                state.isCopied()
                        ? "SELECT __file AS file, __pos AS pos FROM " + state.relation() + " s WHERE __row_id IN "
                                + moves.replaced()
                        : "SELECT file, pos FROM " + moves.from() + " WHERE row_id IS NOT NULL");
    }

    /** The first rows of a view, straight from the source's files to the new one. */
    private StageResult fill(Delta delta) {
        Relation source = context.plan().mayHideGroups() ? after.get() : delta.arriving();
        String groups = sql.withoutPast("(" + sql.fresh(source, Optional.empty()) + ")");
        Moves moves = new Moves("(" + sql.moves(groups, context.target()) + ")");
        Tally counted = context.plan().expectations().isEmpty() ? context.nothing() : context.tally(moves);
        Optional<StageOutcome> violated = context.violated(moves, counted);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        WrittenFile file = context.writeNow(context.stored(moves, "ok"));
        long rows = file.recordCount();
        Optional<PendingFile> added = rows == 0 ? Optional.empty() : Optional.of(PendingFile.of(file));
        Tally tally = Tally.ofNew(rows, counted.broken());
        return new StageResult(
                new StageOutcome.Moved(added, false, Map.of(), context.counts(tally), delta.rows(), rows, rows),
                Optional.of(new EngineDelta(context.written(file), Optional.empty(), rows)));
    }
}
