package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From the moves of a view of rows to its files, and to what the stages that follow see. */
final class RowFiles {
    private final StageContext context;
    private final ViewSettings settings;
    private final boolean givesIds;

    /** @param givesIds whether rows that are new take their ids from those the view has free */
    RowFiles(StageContext context, ViewSettings settings, boolean givesIds) {
        this.context = context;
        this.settings = settings;
        this.givesIds = givesIds;
    }

    /** A large change is never gathered: it goes from its files to the new one. */
    StageResult direct(Delta delta, Moves moves) {
        Tally counted = context.plan().expectations().isEmpty() ? context.nothing() : context.tally(moves);
        Optional<StageOutcome> violated = context.violated(moves, counted);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        WrittenFile file = context.writeNow(context.stored(moves, "ok"));
        long rows = file.recordCount();
        Optional<PendingFile> added = rows == 0 ? Optional.empty() : Optional.of(PendingFile.of(file));
        Delta onward = new EngineDelta(context.written(file), Optional.empty(), rows);
        return result(delta, Tally.ofNew(rows, counted.broken()), added, false, Map.of(), onward);
    }

    /** The moves in a table: rows that go are found by their row id. */
    StageResult moved(Delta delta, Moves moves) {
        Tally tally = context.tally(moves);
        Optional<StageOutcome> violated = context.violated(moves, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        if (tally.replaced() == 0) {
            return added(delta, moves, tally, context.write(context.stored(moves, "ok"), tally.live()));
        }
        return replaced(delta, moves, tally);
    }

    /** Only rows that are new. */
    StageResult added(Delta delta, Moves moves, Tally tally, Optional<PendingFile> file) {
        return result(delta, tally, file, false, Map.of(), moves.delta(context.columns(), tally));
    }

    private StageResult replaced(Delta delta, Moves moves, Tally tally) {
        TableRows before = context.target().before().get();
        String state = "(" + context.state(before).sql() + ")";
        Delta onward = moves.delta(context.columns(), tally);
        if (before.recordCount() + tally.live() > settings.rewriteRows()) {
            Optional<PendingFile> added = context.write(context.stored(moves, "ok"), tally.live());
            Map<String, long[]> positions = context.positions(
                    "SELECT __file AS file, __pos AS pos FROM " + state + " s WHERE __row_id IN " + moves.replaced());
            return result(delta, tally, added, false, positions, onward);
        }
        String whole = context.table("SELECT " + context.stateColumns() + ", __row_id, __seq FROM " + state
                + " s WHERE __row_id NOT IN " + moves.replaced() + " UNION ALL " + context.stored(moves, "ok")
                + " ORDER BY __row_id");
        Optional<PendingFile> added = context.write("SELECT * FROM " + whole, context.count(whole));
        return result(delta, tally, added, true, Map.of(), onward);
    }

    private StageResult result(
            Delta delta,
            Tally tally,
            Optional<PendingFile> added,
            boolean replacesAll,
            Map<String, long[]> deleted,
            Delta onward) {
        List<ExpectationCount> counts = context.counts(tally);
        if (added.isEmpty() && !replacesAll && deleted.isEmpty()) {
            return StageResult.of(new StageOutcome.Unchanged(counts, delta.rows()));
        }
        long rowsOut = tally.arrived() + tally.left();
        long ids = givesIds ? tally.born() : 0;
        return new StageResult(
                new StageOutcome.Moved(added, replacesAll, deleted, counts, delta.rows(), rowsOut, ids),
                Optional.of(onward));
    }
}
