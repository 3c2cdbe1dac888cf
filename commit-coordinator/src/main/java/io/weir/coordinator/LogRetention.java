package io.weir.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts off the log's oldest entries, and the checkpoints nobody needs. The steps, each of which may be the last one a
 * process does; the next run goes on from there, in whatever process:
 *
 * <ol>
 *   <li>A checkpoint is chosen that is older than the retention, and read: only one that is whole will do.
 *   <li>{@link LogStart} moves up to its version, durably. From here on nobody counts on an entry below.
 *   <li>The entries below go, but for those of {@link Leader#keptFor}.
 *   <li>The earlier positions of the start go, which says that all entries below are gone.
 *   <li>Checkpoints below the start go, and of the others those that are closer together than need be.
 * </ol>
 *
 * <p>Any server may run this, also one that was cut off: what it may delete depends on the store alone.
 */
final class LogRetention {
    private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);
    private static final int DELETED_AT_ONCE = 64;
    private static final int NEWEST_KEPT = 2;
    private static final int CHECKPOINTS_IN_RETENTION = 16;

    private final CommitLog log;
    private final LogStart start;
    private final Checkpoints checkpoints;
    private final Duration retention;
    private final int deletedAtOnce;

    LogRetention(CommitLog log, LogStart start, Checkpoints checkpoints, Duration retention) {
        this(log, start, checkpoints, retention, DELETED_AT_ONCE);
    }

    LogRetention(CommitLog log, LogStart start, Checkpoints checkpoints, Duration retention, int deletedAtOnce) {
        this.log = log;
        this.start = start;
        this.checkpoints = checkpoints;
        this.retention = retention;
        this.deletedAtOnce = deletedAtOnce;
    }

    /**
     * @param state a state of the lake; nothing after it is touched
     * @throws io.weir.store.StoreException where the store fails; what was done stays done
     */
    void run(CatalogState state, Instant now) {
        List<CheckpointName> names = checkpoints.list();
        base(names, state, now).ifPresent(this::moveStart);
        List<Long> positions = start.positions();
        if (!positions.isEmpty()) {
            deleteEntries(positions, state);
        }
        long first = positions.isEmpty() ? 1 : positions.getLast();
        superfluous(names, first, retention.dividedBy(CHECKPOINTS_IN_RETENTION)).forEach(checkpoints::delete);
    }

    /** The newest checkpoint from which on everything is kept that has to be. */
    private Optional<CheckpointName> base(List<CheckpointName> names, CatalogState state, Instant now) {
        Instant oldest = now.minus(retention);
        long needed = state.answered().byKey().values().stream()
                .filter(answered -> !answered.key().keptUntil().isBefore(now))
                .mapToLong(answered -> answered.version() - 1)
                .min()
                .orElse(Long.MAX_VALUE);
        long last = Math.min(needed, state.version().number());
        long first = start.first();
        return names.reversed().stream()
                .filter(name -> name.version() > first
                        && name.version() <= last
                        && !name.committedBy().isAfter(oldest))
                .filter(name -> checkpoints.read(name).isPresent())
                .findFirst();
    }

    private void moveStart(CheckpointName base) {
        if (start.positions().isEmpty()) {
            start.advance(1);
        }
        start.advance(base.version());
        LOG.info("the log begins at entry {} from now on", base.version());
    }

    private void deleteEntries(List<Long> positions, CatalogState state) {
        long first = positions.getLast();
        if (first > state.version().number()) {
            return;
        }
        Set<Long> kept = Leader.keptFor(state.leaders());
        for (long from = positions.getFirst(); from < first; from += deletedAtOnce) {
            Parallel.forEach(
                    LongStream.range(from, Math.min(first, from + deletedAtOnce))
                            .filter(version -> !kept.contains(version))
                            .boxed()
                            .toList(),
                    log::delete);
        }
        positions.subList(0, positions.size() - 1).forEach(start::forget);
    }

    /** The newest stay, and the oldest at the start or after; between them one in each {@code gap}. */
    static List<CheckpointName> superfluous(List<CheckpointName> names, long first, Duration gap) {
        Set<CheckpointName> needed =
                new HashSet<>(names.subList(Math.max(0, names.size() - NEWEST_KEPT), names.size()));
        Optional<CheckpointName> last = Optional.empty();
        for (CheckpointName name : names) {
            if (name.version() >= first
                    && last.filter(kept -> name.committedBy()
                                    .isBefore(kept.committedBy().plus(gap)))
                            .isEmpty()) {
                needed.add(name);
                last = Optional.of(name);
            }
        }
        List<CheckpointName> superfluous = new ArrayList<>(names);
        superfluous.removeAll(needed);
        return superfluous;
    }
}
