package io.weir.coordinator;

import io.weir.coordinator.CommitLog.Appended;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a server the leader of a lake, by an entry that raises the epoch: an older leader's next entry meets it and stops
 * there.
 *
 * <p>A number whose entry was deleted can be given again by the store. Two things keep anybody from taking that for a
 * commit: a leader's first entry is only believed when the log began at or before it <em>afterwards</em>, and the entries
 * that an earlier leader would meet next, those of {@link #keptFor}, are never deleted.
 */
final class Leader {
    private static final Logger LOG = LoggerFactory.getLogger(Leader.class);

    private final CommitLog log;
    private final LogStart start;
    private final LakeHistory history;
    private final Clock clock;

    Leader(CommitLog log, LogStart start, LakeHistory history, Clock clock) {
        this.log = log;
        this.start = start;
        this.history = history;
        this.clock = clock;
    }

    /**
     * The state with this server's first entry.
     *
     * @throws IllegalStateException where the log can not be written, or it is not known whether it was
     */
    CatalogState take(String lake, String node) {
        CatalogState state = history.newest();
        while (true) {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            LogEntry entry = new LogEntry(
                    LogEntry.FORMAT,
                    state.version().next().number(),
                    state.epoch() + 1,
                    UUID.randomUUID().toString(),
                    now.isBefore(state.committedAt()) ? state.committedAt() : now,
                    List.of(new Change.LeaderChanged(node)));
            switch (log.append(entry)) {
                case Appended.Done _ -> {
                    if (start.first() <= entry.version()) {
                        LOG.info("leads lake {} from version {}, epoch {}", lake, entry.version(), entry.epoch());
                        return state.apply(entry);
                    }
                    LOG.warn("the log of lake {} went on beyond entry {} and was cut off there", lake, entry.version());
                    state = history.newest();
                }
                case Appended.Taken _ -> state = history.catchUp(state);
                case Appended.Failed failed ->
                    throw new IllegalStateException("can not lead lake " + lake + ": " + failed.why());
                case Appended.Unsettled unsettled ->
                    throw new IllegalStateException("can not lead lake " + lake + ": " + unsettled.why());
            }
        }
    }

    /**
     * The entries that stay for good, so that a leader that was cut off meets one however late it wakes. What such a
     * leader tries next is the first entry of the leader after it, or, where it never learned the outcome of its own last
     * entry, that one.
     *
     * @param leaders all up to the version the log is cut off at, or later
     */
    static Set<Long> keptFor(List<Leadership> leaders) {
        return leaders.stream()
                .flatMap(leader -> Stream.of(leader.version(), leader.version() - 1))
                .collect(Collectors.toSet());
    }
}
