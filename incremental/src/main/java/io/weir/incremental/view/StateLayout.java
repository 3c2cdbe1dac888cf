package io.weir.incremental.view;

import io.weir.incremental.RowIdentity;
import io.weir.incremental.engine.DuckTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.types.Type;

/**
 * The pass that finds a view's state columns: a row's identity is hidden; for a group's state there is a visible one where it shows that very value, else a hidden one.
 * The same plan always gives the same field ids.
 */
final class StateLayout {
    static final String PREFIX = "_weir_";

    private final List<OutputColumn> columns;
    private final List<String> outputs;
    private final List<HiddenColumn> hidden = new ArrayList<>();
    private int nextId = RowIdentity.FIRST_HIDDEN;

    StateLayout(List<OutputColumn> columns, List<String> outputs) {
        this.columns = columns;
        this.outputs = outputs;
    }

    GroupStage.Stored keysOnly(List<GroupStage.Key> keys) {
        return new GroupStage.Stored(keyColumns(keys), Optional.empty(), List.of());
    }

    GroupStage.Stored whole(List<GroupStage.Key> keys, List<Measure> measures, List<String> aggregates) {
        List<String> keyColumns = keyColumns(keys);
        String count = visible(aggregates, "n").orElseGet(() -> hide("n", "BIGINT"));
        List<String> columnsOfMeasures = new ArrayList<>();
        for (int i = 0; i < measures.size(); i++) {
            columnsOfMeasures.add(measure("m" + i, measures.get(i), aggregates));
        }
        return new GroupStage.Stored(keyColumns, Optional.of(count), columnsOfMeasures);
    }

    /** A column for each row id of a combined row. */
    List<String> identity(int ids) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < ids; i++) {
            names.add(hide("r" + i, "BIGINT"));
        }
        return names;
    }

    List<HiddenColumn> hidden() {
        return List.copyOf(hidden);
    }

    private List<String> keyColumns(List<GroupStage.Key> keys) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            String key = "k" + i;
            String type = keys.get(i).duckType();
            names.add(shown(key).orElseGet(() -> hide(key, type)));
        }
        return names;
    }

    private String measure(String name, Measure measure, List<String> aggregates) {
        return switch (measure) {
            case Measure.Sum sum -> {
                boolean wholeNumber = sum.duckType().equals("HUGEINT");
                yield visible(aggregates, Measures.shownSum(name))
                        .orElseGet(() -> hide(name, wholeNumber ? "DECIMAL(38,0)" : sum.duckType()));
            }
            case Measure.Count count -> visible(aggregates, name).orElseGet(() -> hide(name, count.duckType()));
            case Measure.Least least -> visible(aggregates, name).orElseGet(() -> hide(name, least.duckType()));
            case Measure.Greatest greatest ->
                visible(aggregates, name).orElseGet(() -> hide(name, greatest.duckType()));
            case Measure.Whole whole -> throw new IllegalStateException("a whole aggregate is not kept: " + whole);
        };
    }

    /** The view's column that shows an aggregate which {@code isMeasure}. */
    private Optional<String> visible(List<String> aggregates, String isMeasure) {
        return visible(aggregates, isMeasure::equals);
    }

    private Optional<String> visible(List<String> aggregates, java.util.function.Predicate<String> isMeasure) {
        for (int i = 0; i < aggregates.size(); i++) {
            if (isMeasure.test(aggregates.get(i))) {
                return shown("a" + i);
            }
        }
        return Optional.empty();
    }

    private Optional<String> shown(String value) {
        int column = outputs.indexOf(value);
        return column < 0 ? Optional.empty() : Optional.of(columns.get(column).name());
    }

    private String hide(String what, String type) {
        String name = PREFIX + what;
        int id = nextId++;
        Type stored = DuckTypes.toIceberg(type, () -> nextId++);
        hidden.add(new HiddenColumn(id, name, stored, DuckTypes.toDuck(stored)));
        return name;
    }
}
