package io.weir.incremental.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The views' state that is kept in the engine between commits, so that it need not be read from their files each time.
 *
 * <p>A copy belongs to one unit of work at a time, which takes it out and may put it back; it is good only for the token
 * it was put back under. Nothing depends on a copy being there.
 */
final class StateCache {

    /**
     * A table of the engine that holds a view's rows with their state, as they are under {@code token}.
     *
     * @param made when it is done the table is there
     */
    record Copy(String token, String table, long rows, Afterwards made) {}

    /** Caches share the engine, so their tables' names must differ. */
    private static final AtomicLong NAMES = new AtomicLong();

    private final long limit;
    private final Map<String, Copy> copies = new LinkedHashMap<>();

    StateCache(long limit) {
        this.limit = limit;
    }

    String newTable() {
        return "memory.main.state_" + NAMES.incrementAndGet();
    }

    synchronized Optional<Copy> take(String viewId) {
        return Optional.ofNullable(copies.remove(viewId));
    }

    /** Puts copies back, newest last; answers the tables that are no longer needed. */
    synchronized List<String> put(Map<String, Copy> returned) {
        Stream.Builder<String> dropped = Stream.builder();
        returned.forEach((viewId, copy) -> {
            Copy old = copies.remove(viewId);
            if (old != null) {
                dropped.add(old.table());
            }
            copies.put(viewId, copy);
        });
        long rows = copies.values().stream().mapToLong(Copy::rows).sum();
        var oldest = copies.values().iterator();
        while (rows > limit && oldest.hasNext()) {
            Copy copy = oldest.next();
            rows -= copy.rows();
            copy.made().giveUp();
            dropped.add(copy.table());
            oldest.remove();
        }
        return dropped.build().toList();
    }
}
