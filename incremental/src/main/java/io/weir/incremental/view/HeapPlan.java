package io.weir.incremental.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a grouped view is moved on the heap: for views that show nothing but keys and aggregates that a change can be added
 * to, of types in which the heap is as exact as the engine. Everything else is moved by the engine alone.
 *
 * @param columns what the view's columns show, and the type each is held in
 */
record HeapPlan(GroupStage stage, List<HeapType> keys, List<HeapType> measures, List<Shown> columns) {
    record Shown(ShownValue value, HeapType type) {}

    HeapPlan {
        keys = List.copyOf(keys);
        measures = List.copyOf(measures);
        columns = List.copyOf(columns);
    }

    /** Empty for a view that is better left to the engine. */
    static Optional<HeapPlan> of(ViewPlan plan) {
        if (!(plan.stage() instanceof GroupStage stage)
                || stage.byKey()
                || stage.having().isPresent()
                || !plan.expectations().isEmpty()) {
            return Optional.empty();
        }
        List<HeapType> keys = new ArrayList<>();
        stage.keys().forEach(key -> HeapType.of(key.duckType()).ifPresent(keys::add));
        List<HeapType> measures = new ArrayList<>();
        stage.measures().forEach(measure -> type(measure).ifPresent(measures::add));
        List<Shown> columns = new ArrayList<>();
        for (int i = 0; i < plan.columns().size(); i++) {
            Optional<HeapType> type = HeapType.of(plan.columns().get(i).duckType());
            ShownValue.of(stage.outputs().get(i), stage)
                    .filter(value -> type.isPresent() && type.equals(type(value, stage)))
                    .ifPresent(value -> columns.add(new Shown(value, type.orElseThrow())));
        }
        boolean whole = keys.size() == stage.keys().size()
                && measures.size() == stage.measures().size()
                && columns.size() == plan.columns().size();
        return whole ? Optional.of(new HeapPlan(stage, keys, measures, columns)) : Optional.empty();
    }

    private static Optional<HeapType> type(ShownValue value, GroupStage stage) {
        return switch (value) {
            case ShownValue.Key key -> HeapType.of(stage.keys().get(key.key()).duckType());
            case ShownValue.Rows rows -> Optional.of(HeapType.WHOLE);
            case ShownValue.Kept kept -> type(stage.measures().get(kept.measure()));
            case ShownValue.SumOfAny sum -> type(stage.measures().get(sum.sum()));
        };
    }

    private static Optional<HeapType> type(Measure measure) {
        return measure instanceof Measure.Sum && measure.duckType().equals("HUGEINT")
                ? Optional.of(HeapType.WHOLE)
                : HeapType.of(measure.duckType());
    }
}
