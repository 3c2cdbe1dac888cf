package io.weir.coordinator;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * What waits, in lanes: one for each table. A group takes one of each lane in turn, so that a table with many waiting
 * does not hold up the others; within a lane the order is that of arrival. Its length is bounded by {@link Admission}.
 */
final class CommitQueue<T> {
    private final Map<String, Queue<T>> lanes = new LinkedHashMap<>();
    private int size;

    synchronized void add(String lane, T item) {
        lanes.computeIfAbsent(lane, _ -> new ArrayDeque<>()).add(item);
        size++;
        notifyAll();
    }

    /** Whoever waits looks again whether there is something else to do. */
    synchronized void wake() {
        notifyAll();
    }

    synchronized boolean isEmpty() {
        return size == 0;
    }

    /**
     * Up to so many, of all lanes in turn. A lane that is not emptied waits behind the others the next time.
     *
     * @param patience how long to wait for one
     */
    List<T> take(int most, Duration patience) throws InterruptedException {
        return take(most, patience, () -> false);
    }

    /** As {@link #take(int, Duration)}, but waits no longer than until {@code elsewhere}, of which {@link #wake} tells. */
    synchronized List<T> take(int most, Duration patience, BooleanSupplier elsewhere) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (size == 0 && !elsewhere.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return List.of();
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        List<T> taken = new ArrayList<>(Math.min(most, size));
        Map<String, Queue<T>> served = new LinkedHashMap<>();
        while (size > 0 && taken.size() < most) {
            Iterator<Map.Entry<String, Queue<T>>> turn = lanes.entrySet().iterator();
            while (turn.hasNext() && taken.size() < most) {
                Map.Entry<String, Queue<T>> lane = turn.next();
                taken.add(lane.getValue().remove());
                size--;
                turn.remove();
                if (!lane.getValue().isEmpty()) {
                    served.put(lane.getKey(), lane.getValue());
                }
            }
            lanes.putAll(served);
            served.clear();
        }
        return taken;
    }

    /** All that is left. */
    synchronized List<T> drain() {
        List<T> left = new ArrayList<>();
        lanes.values().forEach(left::addAll);
        lanes.clear();
        size = 0;
        return left;
    }
}
