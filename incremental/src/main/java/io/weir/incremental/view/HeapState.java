package io.weir.incremental.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All groups of a view on the heap, by key and in the order of their row ids, as they are under {@code token}. Nobody
 * changes it once it is made, so that it may be read by many threads.
 *
 * @param bytes about how much memory it takes
 */
record HeapState(String token, Map<List<Object>, HeapGroup> groups, long bytes) {
    /** @param groups in order */
    static HeapState of(String token, LinkedHashMap<List<Object>, HeapGroup> groups) {
        return new HeapState(
                token,
                groups,
                groups.values().stream().mapToLong(HeapGroup::bytes).sum());
    }

    int size() {
        return groups.size();
    }
}
