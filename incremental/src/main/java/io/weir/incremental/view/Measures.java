package io.weir.incremental.view;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The pass that says what is kept for each group, so that its aggregates can be told after rows came and went. Equal
 * measures are kept once.
 */
final class Measures {
    /** Below this a whole number and its DOUBLE are the same. */
    private static final String EXACT = "9007199254740992";

    private static final String SHOWN_SUM = " > 0 THEN ";

    private final List<Measure> measures = new ArrayList<>();

    /** The aggregate over {@code n, m0, m1, …}. */
    String aggregate(AggregateCall call, String resultType) {
        return switch (call.function()) {
            case "count_star" -> call.filter().isEmpty() ? "n" : keep(new Measure.Count(call.filtered()));
            case "count" -> keep(new Measure.Count(call.filtered()));
            case "min" -> keep(new Measure.Least(call.filtered(), call.argumentType()));
            case "max" -> keep(new Measure.Greatest(call.filtered(), call.argumentType()));
            case "sum" -> "CASE WHEN " + count(call) + SHOWN_SUM + sum(call, resultType) + " END";
            case "avg" -> average(call);
            default -> throw new IllegalArgumentException("no measure for " + call.function());
        };
    }

    /** Whether an aggregate is nothing but the sum that is {@code measure}, or NULL where there is nothing to add. */
    static Predicate<String> shownSum(String measure) {
        return aggregate -> aggregate.endsWith(SHOWN_SUM + measure + " END");
    }

    /** The aggregate as a measure of its own. */
    String whole(AggregateCall call, String resultType) {
        return keep(new Measure.Whole(call.whole(), resultType));
    }

    private String count(AggregateCall call) {
        return keep(new Measure.Count(call.filtered()));
    }

    private String sum(AggregateCall call, String type) {
        return keep(new Measure.Sum(call.filtered(), type));
    }

    /**
     * The sum over the count, as the engine divides: while the sum fits a DOUBLE exactly one division, above it the whole
     * part and the rest apart. A decimal's sum is taken as the whole number of its smallest units.
     */
    private String average(AggregateCall call) {
        String count = count(call);
        if (!call.isDecimal()) {
            return quotient(count, "CAST(" + sum(call, "HUGEINT") + " AS HUGEINT)", "CAST(" + count + " AS HUGEINT)");
        }
        String unit = "CAST(1" + "0".repeat(call.scale()) + " AS HUGEINT)";
        String sum = sum(call, "DECIMAL(38," + call.scale() + ")");
        String units = "(CAST(trunc(" + sum + ") AS HUGEINT) * " + unit + " + CAST((" + sum + " - trunc(" + sum
                + ")) * 1" + "0".repeat(call.scale()) + " AS HUGEINT))";
        return quotient(count, units, "(" + count + " * " + unit + ")");
    }

    private static String quotient(String count, String sum, String by) {
        return "CASE WHEN " + count + " = 0 THEN NULL WHEN abs(" + sum + ") < " + EXACT + " THEN CAST(" + sum
                + " AS DOUBLE) / CAST(" + by + " AS DOUBLE) ELSE CAST(" + sum + " // " + by + " AS DOUBLE) + CAST("
                + sum + " % " + by + " AS DOUBLE) / CAST(" + by + " AS DOUBLE) END";
    }

    private String keep(Measure measure) {
        int known = measures.indexOf(measure);
        if (known < 0) {
            measures.add(measure);
            known = measures.size() - 1;
        }
        return "m" + known;
    }

    List<Measure> list() {
        return List.copyOf(measures);
    }
}
