package io.weir.coordinator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Lets one actor run at a time, and at each step of any of them chooses who goes on: the same choices for the same seed.
 * An actor is ordinary code on a thread of its own that calls {@link #step} wherever another may come between. Time passes
 * with steps and in no other way.
 */
final class SimSchedule {
    private final Random random;
    private final int stepsAtMost;
    private final List<Actor> actors = new ArrayList<>();
    private final Semaphore ended = new Semaphore(0);
    private Actor current;
    private int steps;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private boolean over;
    private Throwable failure;

    SimSchedule(Random random, int stepsAtMost) {
        this.random = random;
        this.stepsAtMost = stepsAtMost;
    }

    /** Ends an actor where it stands. Not an exception, so that nothing takes it for a store's. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    static final class Actor {
        private final String name;
        private final Semaphore turn = new Semaphore(0);
        private boolean ended;
        private boolean killed;
        private int frozenUntil;

        private Actor(String name) {
            this.name = name;
        }

        boolean killed() {
            return killed;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    Random random() {
        return random;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    Instant now() {
        return now;
    }

    /** Who is doing something. */
    String current() {
        return current.name;
    }

    Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException("the clock of a simulation is UTC");
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    Actor spawn(String name, Runnable body) {
        Actor actor = new Actor(name);
        actors.add(actor);
        Thread.ofVirtual().name(name).start(() -> {
            actor.turn.acquireUninterruptibly();
            try {
                if (!over && !actor.killed) {
                    body.run();
                }
            } catch (Killed killed) {
                // as it was meant
            } catch (Throwable e) {
                fail(e);
            }
            actor.ended = true;
            Actor next = choose();
            if (next == null) {
                ended.release();
            } else {
                handTo(next);
            }
        });
        return actor;
    }

    /** The run is over and ends with the first failure there was. */
    <T extends Throwable> T fail(T e) {
        if (failure == null) {
            failure = e;
        }
        over = true;
        return e;
    }

    /** It does not go on from where it stands. */
    void kill(Actor actor) {
        actor.killed = true;
    }

    /** It stands still for so many steps of others, and knows nothing of it. */
    void freeze(Actor actor, int forSteps) {
        actor.frozenUntil = Math.max(actor.frozenUntil, steps + forSteps);
    }

    /** The actor waits for so many steps of others. */
    void sleep(int forSteps) {
        freeze(current, forSteps);
        step();
    }

    /** Another may come between here. */
    void step() {
        Actor self = current;
        if (self.killed || over) {
            throw new Killed();
        }
        steps++;
        now = now.plus(Duration.ofMillis(1));
        over = over || steps > stepsAtMost;
        Actor next = choose();
        if (next != self) {
            handTo(next);
            self.turn.acquireUninterruptibly();
        }
        if (self.killed || over) {
            throw new Killed();
        }
    }

    private void handTo(Actor next) {
        current = next;
        next.turn.release();
    }

    /** Null where all have ended. */
    private Actor choose() {
        List<Actor> able = new ArrayList<>();
        Actor firstToThaw = null;
        for (Actor actor : actors) {
            if (actor.ended) {
                continue;
            }
            if (over || actor.killed || actor.frozenUntil <= steps) {
                able.add(actor);
            } else if (firstToThaw == null || actor.frozenUntil < firstToThaw.frozenUntil) {
                firstToThaw = actor;
            }
        }
        return able.isEmpty() ? firstToThaw : able.get(random.nextInt(able.size()));
    }

    /** Returns when all have ended, or so many steps are done; throws what an actor threw. */
    void run() {
        Actor first = choose();
        if (first != null) {
            handTo(first);
            ended.acquireUninterruptibly();
        }
        switch (failure) {
            case null -> {}
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }
}
