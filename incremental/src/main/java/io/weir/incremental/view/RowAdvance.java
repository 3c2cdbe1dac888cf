package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.Relation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves a view of rows. Rows that only arrive are appended; where rows leave, they are found in the view's files by their
 * row id.
 */
final class RowAdvance {
    private final StageContext context;
    private final ViewSettings settings;
    private final RowSql sql;

    RowAdvance(StageContext context, ViewSettings settings, RowStage stage) {
        this.context = context;
        this.settings = settings;
        this.sql = new RowSql(context.plan(), stage);
    }

    StageResult run(Delta delta) {
        if (delta.leaving().isPresent()) {
            return replace(delta, delta.leaving().get());
        }
        String arriving = marked(sql.judged(delta.arriving()));
        return delta.rows() > settings.directRows() ? direct(delta, arriving) : append(delta, context.table(arriving));
    }

    private String marked(String judged) {
        return "SELECT *, true AS changed, false AS born, " + context.target().sequenceNumber() + " AS seq FROM ("
                + judged + ")";
    }

    private StageResult append(Delta delta, String live) {
        Tally tally = context.tally(live, Optional.empty());
        Optional<StageOutcome> violated = context.violated(live, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        Optional<WrittenFile> added = context.write(context.stored(live, "ok"), tally.live());
        return result(delta, tally, added, false, Map.of(), context.delta(live, Optional.empty(), tally));
    }

    /** A large change is never gathered: it goes from its files to the new one. */
    private StageResult direct(Delta delta, String arriving) {
        String live = "(" + arriving + ")";
        Tally counted =
                context.plan().expectations().isEmpty() ? context.nothing() : context.tally(live, Optional.empty());
        Optional<StageOutcome> violated = context.violated(live, counted);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        WrittenFile file =
                context.write(context.stored(live, "ok"), delta.rows()).orElseThrow();
        long rows = file.recordCount();
        Tally tally = new Tally(rows, rows, 0, 0, counted.broken());
        Optional<WrittenFile> added = rows == 0 ? Optional.empty() : Optional.of(file);
        return result(delta, tally, added, false, Map.of(), new Delta(context.written(file), Optional.empty(), rows));
    }

    private StageResult replace(Delta delta, Relation leaving) {
        String gone = context.table(sql.judged(leaving));
        String come = context.table(marked(sql.judged(delta.arriving())));
        String live = context.table(sql.live(gone, come));
        String left = context.table(sql.left(gone, come));
        if (context.count(left) == 0) {
            return append(delta, live);
        }
        TableRows before = context.target().before().get();
        String state = "(" + context.state(before).sql() + ")";
        String touched = context.table(sql.touched(left, state));
        Tally tally = context.tally(live, Optional.of(touched));
        Optional<StageOutcome> violated = context.violated(live, tally);
        if (violated.isPresent()) {
            return StageResult.of(violated.get());
        }
        Delta onward = context.delta(live, Optional.of(touched), tally);
        if (before.recordCount() + tally.live() > settings.rewriteRows()) {
            Optional<WrittenFile> added = context.write(context.stored(live, "ok"), tally.live());
            return result(delta, tally, added, false, context.positions(touched), onward);
        }
        String whole = context.table("SELECT " + context.stateColumns() + ", __row_id, __seq FROM " + state
                + " s WHERE __row_id NOT IN (SELECT row_id FROM " + touched + ") UNION ALL "
                + context.stored(live, "ok") + " ORDER BY __row_id");
        Optional<WrittenFile> added = context.write("SELECT * FROM " + whole, context.count(whole));
        return result(delta, tally, added, tally.left() > 0, Map.of(), onward);
    }

    private StageResult result(
            Delta delta,
            Tally tally,
            Optional<WrittenFile> added,
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
