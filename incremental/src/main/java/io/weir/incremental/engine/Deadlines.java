package io.weir.incremental.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cancels statements that run too long. It looks at those that run every few dozen milliseconds, which costs a statement
 * less than a timer of its own: none of them wakes a thread.
 */
final class Deadlines {
    private static final long TICK_MILLIS = 50;
    private static final Set<Statements.Running> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Thread.ofPlatform().daemon().name("engine-deadlines").start(Deadlines::watch);
    }

    private Deadlines() {}

    static void start(Statements.Running statement) {
        RUNNING.add(statement);
    }

    static void end(Statements.Running statement) {
        RUNNING.remove(statement);
    }

    private static void watch() {
        while (true) {
            try {
                Thread.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            RUNNING.forEach(statement -> statement.cancelIfLate(now));
        }
    }
}
