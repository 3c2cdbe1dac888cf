package io.weir.incremental.view;

/**
 * What came to a group and what went.
 *
 * @param rows rows that came less rows that went
 * @param came the measures of what came, of counts and sums less those of what went
 * @param went of measures that are extremes, those of what went; null elsewhere
 */
@SuppressWarnings("ArrayRecordComponent")
record HeapChange(long rows, Object[] came, Object[] went) {
    /** Of a group without rows. */
    static HeapChange none(HeapPlan plan) {
        Object[] nothing = new Object[plan.measures().size()];
        for (int i = 0; i < nothing.length; i++) {
            nothing[i] = HeapMeasures.zero(plan, i);
        }
        return new HeapChange(0, nothing, new Object[nothing.length]);
    }
}
