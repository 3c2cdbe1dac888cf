package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.Relation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a view of rows. Rows that only arrive are appended; where rows leave, they are found in the view's files by their
 * row id.
 */
final class RowAdvance {
    private static final Logger LOG = LoggerFactory.getLogger(RowAdvance.class);

    private final StageContext context;
    private final ViewSettings settings;
    private final RowSql sql;

    RowAdvance(StageContext context, ViewSettings settings, RowStage stage) {
        this.context = context;
        this.settings = settings;
        this.sql = new RowSql(context.plan(), stage, context.target().sequenceNumber());
    }

    StageResult run(Delta delta) {
        Optional<StageResult> onHeap = onHeap(delta);
        if (onHeap.isPresent()) {
            return onHeap.get();
        }
        if (delta.leaving().isPresent()) {
            return replace(delta, delta.leaving().get());
        }
        String judged = sql.judged(delta.arriving());
        return delta.rows() > settings.directRows()
                ? direct(delta, sql.arrivals("(" + judged + ")"))
                : append(delta, judged);
    }

    private Optional<StageResult> onHeap(Delta delta) {
        try {
            return HeapRowAdvance.of(context, settings, sql, delta).flatMap(advance -> advance.run(delta));
        } catch (EngineException | ArithmeticException | HeapRoom.FullException e) {
            LOG.debug("a change is left to the engine", e);
            return Optional.empty();
        }
    }

    /** The file of a large change does not wait for the table: both read the source, side by side. */
    private StageResult append(Delta delta, String judged) {
        Optional<PendingFile> early = delta.rows() > settings.rowsWrittenEarly() && context.mayWriteEarly(judged)
                ? Optional.of(context.write(context.stored(sql.arrivals("(" + judged + ")"), "ok")))
                : Optional.empty();
        Moves moves = sql.arrivals(context.table(judged));
        Tally tally = context.tally(moves);
        Optional<StageOutcome> violated = context.violated(moves, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        if (tally.live() == 0) {
            early.ifPresent(PendingFile::discard);
        }
        Optional<PendingFile> added = tally.live() > 0 && early.isPresent()
                ? early
                : context.write(context.stored(moves, "ok"), tally.live());
        return result(delta, tally, added, false, Map.of(), moves.delta(context.columns(), tally));
    }

    /** A large change is never gathered: it goes from its files to the new one. */
    private StageResult direct(Delta delta, Moves moves) {
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

    private StageResult replace(Delta delta, Relation leaving) {
        String left = context.table(sql.judged(leaving));
        String arrived = context.table(sql.judged(delta.arriving()));
        Moves moves = new Moves(context.table(sql.pairs(arrived, left)));
        Tally tally = context.tally(moves);
        Optional<StageOutcome> violated = context.violated(moves, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        if (tally.replaced() == 0) {
            Optional<PendingFile> added = context.write(context.stored(moves, "ok"), tally.live());
            return result(delta, tally, added, false, Map.of(), moves.delta(context.columns(), tally));
        }
        return replaced(delta, moves, tally);
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
        return new StageResult(
                new StageOutcome.Moved(added, replacesAll, deleted, counts, delta.rows(), rowsOut, 0),
                Optional.of(onward));
    }
}
