package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.engine.Relation;
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
    private final RowFiles files;

    RowAdvance(StageContext context, ViewSettings settings, RowStage stage) {
        this.context = context;
        this.settings = settings;
        this.sql = new RowSql(context.plan(), stage, context.target().sequenceNumber());
        this.files = new RowFiles(context, settings, false);
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
                ? files.direct(delta, sql.arrivals("(" + judged + ")"))
                : append(delta, judged);
    }

    private Optional<StageResult> onHeap(Delta delta) {
        try {
            return HeapRowAdvance.of(context, settings, sql, delta).flatMap(advance -> advance.run(delta));
        } catch (EngineException e) {
            return HeapAdvance.leftToEngine(e);
        } catch (ArithmeticException | HeapRoom.FullException e) {
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
        return files.added(delta, moves, tally, added);
    }

    private StageResult replace(Delta delta, Relation leaving) {
        String left = context.table(sql.judged(leaving));
        String arrived = context.table(sql.judged(delta.arriving()));
        return files.moved(delta, new Moves(context.table(sql.pairs(arrived, left))));
    }
}
