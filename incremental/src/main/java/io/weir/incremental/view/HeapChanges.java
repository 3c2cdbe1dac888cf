package io.weir.incremental.view;

import io.weir.incremental.engine.Rows;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From a change of the source to what it means for each group it touches: by the engine where the source's rows are
 * there, on the heap where they are on the heap and nothing is computed from them.
 */
final class HeapChanges {
    private final StageContext context;
    private final HeapPlan plan;
    private final GroupSql sql;

    HeapChanges(StageContext context, HeapPlan plan, GroupSql sql) {
        this.context = context;
        this.plan = plan;
        this.sql = sql;
    }

    /** By key; empty where there are more than {@code most}. */
    Optional<Map<List<Object>, HeapChange>> of(Delta delta, long most) {
        Optional<int[]> columns = delta instanceof HeapDelta heap ? columnsRead(heap) : Optional.empty();
        return columns.isPresent()
                ? Optional.of(added((HeapDelta) delta, columns.get()))
                : read(sql.change(delta), delta.leaving().isPresent(), most);
    }

    /** All of the groups a change touches, worked out again from the source. */
    Optional<Map<List<Object>, HeapChange>> again(String fresh, long most) {
        return read(fresh, false, most);
    }

    private Optional<Map<List<Object>, HeapChange>> read(String groups, boolean leaving, long most) {
        int keys = plan.keys().size();
        int measures = plan.measures().size();
        String given = Sql.list(
                Sql.join(keys, ", ", i -> plan.keys().get(i).given("k" + i)),
                "n",
                Sql.join(measures, ", ", i -> plan.measures().get(i).given("m" + i)),
                leaving
                        ? Sql.join(
                                measures,
                                ", ",
                                i -> isExtreme(i) ? plan.measures().get(i).given("w" + i) : "NULL")
                        : "");
        Map<List<Object>, HeapChange> changes = new LinkedHashMap<>();
        HeapRoom room = new HeapRoom();
        try (Rows rows = context.session().query("SELECT " + given + " FROM (" + groups + ")")) {
            while (rows.next()) {
                if (changes.size() >= most) {
                    return Optional.empty();
                }
                Object[] key = new Object[keys];
                for (int i = 0; i < keys; i++) {
                    key[i] = room.take(plan.keys().get(i).hold(rows.value(i)));
                }
                Object[] came = new Object[measures];
                Object[] went = new Object[measures];
                for (int i = 0; i < measures; i++) {
                    HeapType type = plan.measures().get(i);
                    came[i] = room.take(type.hold(rows.value(keys + 1 + i)));
                    went[i] = leaving ? room.take(type.hold(rows.value(keys + 1 + measures + i))) : null;
                }
                changes.put(Arrays.asList(key), new HeapChange(rows.number(keys), came, went));
            }
        }
        return Optional.of(changes);
    }

    private boolean isExtreme(int measure) {
        return switch (plan.stage().measures().get(measure)) {
            case Measure.Least least -> true;
            case Measure.Greatest greatest -> true;
            case Measure.Count count -> false;
            case Measure.Sum sum -> false;
            case Measure.Whole whole -> false;
        };
    }

    /** The source's columns that keys and measures are, in this order; empty where something is computed. */
    private Optional<int[]> columnsRead(HeapDelta delta) {
        if (plan.stage().where().isPresent()) {
            return Optional.empty();
        }
        List<String> read = new ArrayList<>();
        List<HeapType> types = new ArrayList<>(plan.keys());
        plan.stage().keys().forEach(key -> read.add(key.sql()));
        for (Measure measure : plan.stage().measures()) {
            read.add(measure.argument());
            types.add(
                    measure instanceof Measure.Count
                            ? null
                            : plan.measures().get(types.size() - plan.keys().size()));
        }
        int[] columns = new int[read.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = column(delta, read.get(i));
            boolean fits = columns[i] >= 0
                    && (types.get(i) == null || types.get(i) == delta.types().get(columns[i]));
            if (!fits) {
                return Optional.empty();
            }
        }
        return Optional.of(columns);
    }

    private static int column(HeapDelta delta, String read) {
        for (int i = 0; i < delta.columns().size(); i++) {
            String name = delta.columns().get(i).name();
            if (read.equals(name) || read.equals(Sql.name(name))) {
                return i;
            }
        }
        return -1;
    }

    private Map<List<Object>, HeapChange> added(HeapDelta delta, int[] columns) {
        Map<List<Object>, Sums> groups = new LinkedHashMap<>();
        if (plan.keys().isEmpty()) {
            groups.put(List.of(), new Sums());
        }
        delta.arrivingRows().forEach(row -> group(groups, row, columns).add(row.values(), columns, 1));
        delta.leavingRows().forEach(row -> group(groups, row, columns).add(row.values(), columns, -1));
        Map<List<Object>, HeapChange> changes = new LinkedHashMap<>();
        groups.forEach((key, sums) -> changes.put(key, new HeapChange(sums.rows, sums.came, sums.went)));
        return changes;
    }

    private Sums group(Map<List<Object>, Sums> groups, HeapDelta.HeapRow row, int[] columns) {
        Object[] key = new Object[plan.keys().size()];
        for (int i = 0; i < key.length; i++) {
            key[i] = row.values()[columns[i]];
        }
        return groups.computeIfAbsent(Arrays.asList(key), none -> new Sums());
    }

    /** The change of one group while it is added up. */
    private final class Sums {
        private final Object[] came = new Object[plan.measures().size()];
        private final Object[] went = new Object[plan.measures().size()];
        private long rows;

        Sums() {
            for (int i = 0; i < came.length; i++) {
                came[i] = HeapMeasures.zero(plan, i);
            }
        }

        void add(Object[] row, int[] columns, int weight) {
            rows += weight;
            for (int i = 0; i < came.length; i++) {
                Object value = row[columns[plan.keys().size() + i]];
                if (value == null) {
                    continue;
                }
                HeapType type = plan.measures().get(i);
                switch (plan.stage().measures().get(i)) {
                    case Measure.Count count -> came[i] = (Long) came[i] + weight;
                    case Measure.Sum sum -> came[i] = HeapMeasures.sum(came[i], signed(value, weight));
                    case Measure.Least least -> extreme(i, weight, HeapMeasures.least(type, side(weight)[i], value));
                    case Measure.Greatest greatest ->
                        extreme(i, weight, HeapMeasures.greatest(type, side(weight)[i], value));
                    case Measure.Whole whole -> throw new IllegalStateException("not on the heap: " + whole);
                }
            }
        }

        private Object[] side(int weight) {
            return weight > 0 ? came : went;
        }

        private void extreme(int measure, int weight, Object value) {
            side(weight)[measure] = value;
        }
    }

    private static Object signed(Object value, int weight) {
        if (weight > 0) {
            return value;
        }
        return value instanceof BigDecimal decimal ? decimal.negate() : (Object) Math.negateExact((Long) value);
    }
}
