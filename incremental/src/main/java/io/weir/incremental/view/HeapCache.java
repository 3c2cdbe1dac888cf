package io.weir.incremental.view;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The states that are kept on the heap between units of work, those used last; each is good only for its token. Nothing
 * depends on one being there. Safe for many threads.
 */
final class HeapCache {
    private final long limit;
    private final LinkedHashMap<String, HeapState> states = new LinkedHashMap<>();
    private long bytes;

    /** @param limit bytes of all views together, about */
    HeapCache(long limit) {
        this.limit = limit;
    }

    synchronized Optional<HeapState> get(String viewId, String token) {
        return Optional.ofNullable(states.get(viewId))
                .filter(state -> state.token().equals(token));
    }

    synchronized void put(Map<String, HeapState> made) {
        made.forEach((viewId, state) -> {
            HeapState old = states.remove(viewId);
            bytes += state.bytes() - (old == null ? 0 : old.bytes());
            states.put(viewId, state);
        });
        var oldest = states.values().iterator();
        while (bytes > limit && oldest.hasNext()) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }
}
