package io.weir.coordinator;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Lets commits in, up to {@link CommitLimits}. A commit has its place from before anything of it is read until it is
 * answered, so that what is refused never took memory.
 *
 * <p>No table may hold more places, or more bytes, than are left free. One that floods the lake thus gets half of them, two
 * a third each, and there is always room for a table that has nothing waiting, until there are as many floods as places.
 */
final class Admission {
    private final CommitLimits limits;
    private final CommitMeter meter;
    private final Map<String, Held> lanes = new HashMap<>();
    private Held all = Held.NOTHING;

    private record Held(int commits, long bytes) {
        static final Held NOTHING = new Held(0, 0);

        Held plus(int moreCommits, long moreBytes) {
            return new Held(commits + moreCommits, bytes + moreBytes);
        }
    }

    Admission(CommitLimits limits, CommitMeter meter) {
        this.limits = limits;
        this.meter = meter;
    }

    /** Empty where there is no place for one more of this lane. */
    synchronized Optional<Place> enter(String lane) {
        Held own = lanes.getOrDefault(lane, Held.NOTHING);
        if (own.commits >= limits.commits() - all.commits) {
            return Optional.empty();
        }
        change(lane, 1, 0);
        return Optional.of(new Place(lane));
    }

    synchronized int waiting() {
        return all.commits;
    }

    private void change(String lane, int commits, long bytes) {
        all = all.plus(commits, bytes);
        Held own = lanes.getOrDefault(lane, Held.NOTHING).plus(commits, bytes);
        if (own.equals(Held.NOTHING)) {
            lanes.remove(lane);
        } else {
            lanes.put(lane, own);
        }
        meter.waiting(all.commits, all.bytes);
    }

    /** A commit's place. Closed once, when the commit is answered. */
    final class Place implements AutoCloseable {
        private final String lane;
        private long bytes;

        private Place(String lane) {
            this.lane = lane;
        }

        /** False where the commit's bytes do not fit. One that is alone always does. */
        boolean take(long needed) {
            synchronized (Admission.this) {
                Held own = lanes.get(lane);
                boolean fits = own.bytes + needed <= limits.bytes() - all.bytes;
                if (!fits && all.bytes > 0) {
                    return false;
                }
                bytes += needed;
                change(lane, 0, needed);
                return true;
            }
        }

        @Override
        public void close() {
            synchronized (Admission.this) {
                change(lane, -1, -bytes);
                bytes = 0;
            }
        }
    }
}
