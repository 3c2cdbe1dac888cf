package io.weir.incremental.view;

import io.weir.incremental.engine.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves a view of rows to which a few rows come and from which none go: the engine computes them, in one statement, and
 * from there they are on the heap, for the view's file and for the stages that follow.
 */
final class HeapRowAdvance {
    private final StageContext context;
    private final RowSql sql;
    private final List<HeapType> types;
    private final HeapRoom room = new HeapRoom();

    private HeapRowAdvance(StageContext context, RowSql sql, List<HeapType> types) {
        this.context = context;
        this.sql = sql;
        this.types = types;
    }

    /** Empty where the view or the change is better left to the engine. */
    static Optional<HeapRowAdvance> of(StageContext context, ViewSettings settings, RowSql sql, Delta delta) {
        if (settings.heapBytes() == 0
                || delta.rows() > settings.rewriteRows()
                || delta.leaving().isPresent()) {
            return Optional.empty();
        }
        List<HeapType> types = new ArrayList<>();
        for (OutputColumn column : context.plan().columns()) {
            HeapType.of(column.duckType()).ifPresent(types::add);
        }
        return types.size() == context.plan().columns().size()
                ? Optional.of(new HeapRowAdvance(context, sql, types))
                : Optional.empty();
    }

    /** Empty where a row breaks an expectation that refuses it: the engine tells which. */
    Optional<StageResult> run(Delta delta) {
        List<Expectation> expectations = context.plan().expectations();
        long[] broken = new long[expectations.size()];
        HeapDelta onward = context.heapDelta(types);
        try (Rows rows = context.session().query(judged(delta))) {
            while (rows.next()) {
                boolean kept = true;
                for (int i = 0; i < broken.length; i++) {
                    if (!(Boolean) rows.value(types.size() + i)) {
                        broken[i]++;
                        kept &= expectations.get(i).onViolation() == OnViolation.KEEP;
                    }
                }
                if (kept) {
                    onward.arrives(values(rows), rows.number(types.size() + broken.length));
                }
            }
        }
        for (int i = 0; i < broken.length; i++) {
            if (broken[i] > 0 && expectations.get(i).onViolation() == OnViolation.FAIL) {
                return Optional.empty();
            }
        }
        List<ExpectationCount> counts = context.counts(Tally.ofNew(onward.rows(), broken));
        return Optional.of(
                onward.rows() == 0
                        ? StageResult.of(new StageOutcome.Unchanged(counts, delta.rows()))
                        : new StageResult(
                                new StageOutcome.Moved(
                                        Optional.of(write(onward.arrivingRows())),
                                        false,
                                        Map.of(),
                                        counts,
                                        delta.rows(),
                                        onward.rows(),
                                        0),
                                Optional.of(onward)));
    }

    private String judged(Delta delta) {
        String columns = Sql.join(types.size(), ", ", i -> types.get(i).given("c" + i));
        String judgements = Sql.join(context.plan().expectations().size(), ", ", i -> "x" + i);
        return "SELECT " + Sql.list(columns, judgements, "rid") + " FROM (" + sql.judged(delta.arriving()) + ")";
    }

    private Object[] values(Rows rows) {
        Object[] values = new Object[types.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = room.take(types.get(i).hold(rows.value(i)));
        }
        return values;
    }

    private PendingFile write(List<HeapDelta.HeapRow> rows) {
        ViewTarget target = context.target();
        HeapFile<HeapDelta.HeapRow> file =
                HeapColumns.ofRows(context.plan(), context.fileSchema(), target.sequenceNumber());
        return context.writeFromHeap(() -> file.write(rows, target.output()));
    }
}
