package io.weir.incremental.view;

import java.math.BigDecimal;

/**
 * What is kept of a group, and how a change is added to it. A number that goes beyond what the heap holds exactly is an
 * {@link ArithmeticException}: the engine, which has wider numbers, then does the work, or says what is wrong.
 */
final class HeapMeasures {
    private static final int DECIMAL_DIGITS = 38;

    private HeapMeasures() {}

    /** What is kept of no rows. */
    static Object zero(HeapPlan plan, int measure) {
        return switch (plan.stage().measures().get(measure)) {
            case Measure.Count count -> 0L;
            case Measure.Sum sum -> plan.measures().get(measure) == HeapType.DECIMAL ? (Object) BigDecimal.ZERO : 0L;
            case Measure.Least least -> null;
            case Measure.Greatest greatest -> null;
            case Measure.Whole whole -> throw new IllegalStateException("not on the heap: " + whole);
        };
    }

    static Object sum(Object a, Object b) {
        if (a instanceof BigDecimal decimal) {
            BigDecimal sum = decimal.add((BigDecimal) b);
            if (sum.precision() > DECIMAL_DIGITS) {
                throw new ArithmeticException("a sum has more than " + DECIMAL_DIGITS + " digits");
            }
            return sum;
        }
        return Math.addExact((Long) a, (Long) b);
    }

    /** The lesser value; null stands for none. */
    static Object least(HeapType type, Object a, Object b) {
        return a == null || (b != null && type.compare(b, a) < 0) ? b : a;
    }

    /** The greater value; null stands for none. */
    static Object greatest(HeapType type, Object a, Object b) {
        return a == null || (b != null && type.compare(b, a) > 0) ? b : a;
    }

    /** What is kept of a group after a change; {@code null} measures: of a group that was not there. */
    static Object[] merged(HeapPlan plan, Object[] measures, HeapChange change) {
        Object[] merged = new Object[plan.measures().size()];
        for (int i = 0; i < merged.length; i++) {
            Object old = measures == null ? zero(plan, i) : measures[i];
            Object came = change.came()[i];
            HeapType type = plan.measures().get(i);
            merged[i] = switch (plan.stage().measures().get(i)) {
                case Measure.Count count -> sum(old, came);
                case Measure.Sum sum -> sum(old, came);
                case Measure.Least least -> least(type, old, came);
                case Measure.Greatest greatest -> greatest(type, old, came);
                case Measure.Whole whole -> throw new IllegalStateException("not on the heap: " + whole);
            };
        }
        return merged;
    }

    /** Whether an extreme may be among what went, so that the next one is not known. */
    static boolean isLost(HeapPlan plan, Object[] measures, HeapChange change) {
        for (int i = 0; i < plan.measures().size(); i++) {
            Object went = change.went()[i];
            if (went == null) {
                continue;
            }
            Object old = measures == null ? null : measures[i];
            Object came = change.came()[i];
            int direction = plan.stage().measures().get(i) instanceof Measure.Least ? 1 : -1;
            HeapType type = plan.measures().get(i);
            boolean reached = old == null || direction * type.compare(went, old) <= 0;
            boolean better = old != null && came != null && direction * type.compare(came, old) <= 0;
            if (reached && !better) {
                return true;
            }
        }
        return false;
    }
}
