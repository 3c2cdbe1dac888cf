package io.weir.incremental.view;

/**
 * How views are moved.
 *
 * @param rewriteRows a view of no more rows than this is written whole when it changes, into one file
 * @param rowsWrittenEarly the file of a change of more rows than this is written from the source, not from a table of the
 *     change, so that it can begin at once
 * @param directRows a change of more rows than this is written straight from its files, not gathered first
 * @param cachedRowsPerView a view of more rows than this has its state read from its files each time
 * @param cachedRows how many rows of state all views together may keep in memory
 * @param heapBytes about how much memory small grouped views all together may be kept in on the heap; 0: none is moved there
 */
public record ViewSettings(
        long rewriteRows,
        long rowsWrittenEarly,
        long directRows,
        long cachedRowsPerView,
        long cachedRows,
        long heapBytes) {
    public ViewSettings {
        if (rewriteRows < 0
                || rowsWrittenEarly < 0
                || directRows < 0
                || cachedRowsPerView < 0
                || cachedRows < 0
                || heapBytes < 0) {
            throw new IllegalArgumentException("a number of rows is not below zero");
        }
    }

    public static ViewSettings standard() {
        return new ViewSettings(5_000, 20_000, 200_000, 2_000_000, 10_000_000, 64L << 20);
    }
}
