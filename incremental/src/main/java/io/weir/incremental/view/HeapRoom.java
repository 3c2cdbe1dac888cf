package io.weir.incremental.view;

/**
 * Counts what is brought to the heap, so that a few rows with very long texts do not fill it. Used by one thread.
 */
final class HeapRoom {
    private static final long ALL = 16L << 20;
    private static final int OBJECT = 24;

    private long left = ALL;

    /** More than there is room for was to be brought to the heap: the engine does the work. */
    static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FullException() {
            super("more than " + ALL + " bytes", null, false, false);
        }
    }

    /** The value, which from now on is on the heap. */
    Object take(Object value) {
        left -= bytes(value);
        if (left < 0) {
            throw new FullException();
        }
        return value;
    }

    /** About how much memory a value takes. */
    static long bytes(Object value) {
        return value instanceof String text ? OBJECT + 2L * text.length() : OBJECT;
    }
}
