package io.weir.incremental.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One move of a view on the heap: the groups after it, and what changed. The state before is left as it is. */
final class HeapMove {
    private final StageContext context;
    private final HeapPlan plan;
    private final HeapState before;
    private final LinkedHashMap<List<Object>, HeapGroup> groups;
    private final HeapDelta delta;
    private long nextRowId;
    private boolean touched;
    private long bytes;

    HeapMove(StageContext context, HeapPlan plan, HeapState before) {
        this.context = context;
        this.plan = plan;
        this.before = before;
        this.bytes = before.bytes();
        this.groups = new LinkedHashMap<>(before.groups());
        this.delta = context.heapDelta(
                plan.columns().stream().map(HeapPlan.Shown::type).toList());
        this.nextRowId = context.target().nextRowId();
    }

    /**
     * Brings one group up to date.
     *
     * @param again the touched groups worked out from the source, of which one that is not there is gone; empty where the
     *     change itself says enough
     */
    void touch(List<Object> key, HeapChange change, Optional<Map<List<Object>, HeapChange>> again) {
        HeapGroup old = before.groups().get(key);
        HeapChange whole = again.map(fresh -> fresh.getOrDefault(key, HeapChange.none(plan)))
                .orElse(null);
        Object[] kept = old == null || whole != null ? null : old.measures();
        Object[] measures = HeapMeasures.merged(plan, kept, whole == null ? change : whole);
        long rows = whole == null ? (old == null ? 0 : old.rows()) + change.rows() : whole.rows();
        boolean lives = rows > 0 || plan.stage().isGlobal();
        if (old == null && !lives) {
            return;
        }
        touched = true;
        bytes -= old == null ? 0 : old.bytes();
        if (!lives) {
            groups.remove(key);
            delta.leaves(old.shown(), old.rowId());
            return;
        }
        Object[] shown = shown(key, rows, measures);
        boolean changed = old == null || !same(old.shown(), shown);
        long rowId = old == null ? nextRowId++ : old.rowId();
        long sequence = changed ? context.target().sequenceNumber() : old.sequence();
        HeapGroup now = new HeapGroup(key, rows, measures, shown, rowId, sequence);
        bytes += now.bytes();
        groups.put(key, now);
        if (changed) {
            delta.arrives(shown, rowId);
            if (old != null) {
                delta.leaves(old.shown(), rowId);
            }
        }
    }

    private Object[] shown(List<Object> key, long rows, Object[] measures) {
        Object[] shown = new Object[plan.columns().size()];
        for (int i = 0; i < shown.length; i++) {
            shown[i] = switch (plan.columns().get(i).value()) {
                case ShownValue.Key part -> key.get(part.key());
                case ShownValue.Rows all -> rows;
                case ShownValue.Kept kept -> measures[kept.measure()];
                case ShownValue.SumOfAny sum -> {
                    long count = sum.count() < 0 ? rows : (Long) measures[sum.count()];
                    yield count > 0 ? measures[sum.sum()] : null;
                }
            };
        }
        return shown;
    }

    private boolean same(Object[] a, Object[] b) {
        for (int i = 0; i < a.length; i++) {
            if (!plan.columns().get(i).type().same(a[i], b[i])) {
                return false;
            }
        }
        return true;
    }

    boolean isNothing() {
        return !touched;
    }

    int rowsAfter() {
        return groups.size();
    }

    /** Has the groups written to the view's file. */
    HeapAdvance.Advanced written(long rowsIn) {
        List<HeapGroup> rows = List.copyOf(groups.values());
        Optional<PendingFile> file = rows.isEmpty() ? Optional.empty() : Optional.of(write(rows));
        StageOutcome outcome = new StageOutcome.Moved(
                file,
                before.size() > 0,
                Map.of(),
                List.of(),
                rowsIn,
                delta.rows(),
                nextRowId - context.target().nextRowId());
        return new HeapAdvance.Advanced(
                new StageResult(outcome, Optional.of(delta)),
                new HeapState(context.target().nextStateToken(), groups, bytes));
    }

    private PendingFile write(List<HeapGroup> rows) {
        HeapFile<HeapGroup> file = HeapColumns.ofGroups(context.plan(), context.fileSchema());
        return context.writeFromHeap(() -> file.write(rows, context.target().output()));
    }
}
