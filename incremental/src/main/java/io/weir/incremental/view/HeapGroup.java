package io.weir.incremental.view;

import java.util.List;

/**
 * A group of a view and its row, held on the heap. Values are as their {@link HeapType} holds them; NULL is null.
 *
 * @param rows how many rows of the source it has
 * @param measures what is kept of them
 * @param shown the view's columns
 * @param rowId the row's id
 * @param sequence the sequence number of the row's last change
 */
@SuppressWarnings("ArrayRecordComponent")
record HeapGroup(List<Object> key, long rows, Object[] measures, Object[] shown, long rowId, long sequence) {
    private static final int OBJECTS = 200;

    /** About how much memory it takes. What a key and a column share counts twice. */
    long bytes() {
        return OBJECTS + bytes(key.toArray()) + bytes(measures) + bytes(shown);
    }

    private static long bytes(Object[] values) {
        long bytes = 0;
        for (Object value : values) {
            bytes += HeapRoom.bytes(value);
        }
        return bytes;
    }
}
