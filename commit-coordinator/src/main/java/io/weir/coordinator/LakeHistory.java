package io.weir.coordinator;

import io.weir.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The states of a lake, read from its checkpoints and its log. Only reads, and is right beside servers that write, take
 * over and delete old entries: what was read by number counts only where the log still began at or before it when asked
 * afterwards ({@link LogStart}); otherwise it is read again.
 */
class LakeHistory {
    private static final Logger LOG = LoggerFactory.getLogger(LakeHistory.class);
    private static final int TRIES = 10;

    private final CommitLog log;
    private final LogStart start;
    private final Checkpoints checkpoints;

    LakeHistory(CommitLog log, LogStart start, Checkpoints checkpoints) {
        this.log = log;
        this.start = start;
        this.checkpoints = checkpoints;
    }

    static LakeHistory of(ObjectStore store) {
        return new LakeHistory(new CommitLog(store), new LogStart(store), new Checkpoints(store));
    }

    /**
     * The newest state.
     *
     * @throws IllegalStateException where it can not be told from what is on the store
     */
    CatalogState newest() {
        long first = 1;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            first = start.first();
            Optional<CatalogState> base = base(first, -1, Long.MAX_VALUE);
            Optional<CatalogState> reached = base.flatMap(state -> replayed(state, Long.MAX_VALUE));
            if (reached.isPresent()) {
                return reached.get();
            }
            LOG.info("the log was cut off, or a checkpoint went, while it was read: it is read again");
        }
        throw new IllegalStateException("the lake can not be read: its log begins at entry " + first
                + " and no checkpoint at or after version " + (first - 1) + " could be read in " + TRIES
                + " tries. Bring back an object of _weir/checkpoint/ from a backup or an older version of the object;"
                + " where there is one and it goes away, log.retention is too short for the time a start takes");
    }

    /** The newest state, from a state that was once read. */
    CatalogState catchUp(CatalogState state) {
        return replayed(state, Long.MAX_VALUE).orElseGet(this::newest);
    }

    /**
     * The state at a version.
     *
     * @param near a state at or before it to go on from, if no checkpoint is nearer
     * @return empty where the log holds it no more, or not yet
     */
    Optional<CatalogState> at(Version version, Optional<CatalogState> near) {
        long after = near.map(state -> state.version().number()).orElse(-1L);
        for (int attempt = 0; attempt < TRIES; attempt++) {
            long first = start.first();
            Optional<CatalogState> base = base(first, after, version.number()).or(() -> near);
            if (base.filter(state -> state.version().equals(version)).isPresent()) {
                return base;
            }
            Optional<CatalogState> reached = base.flatMap(state -> replayed(state, version.number()))
                    .filter(state -> state.version().equals(version));
            if (reached.isPresent() || start.first() == first) {
                return reached;
            }
        }
        return Optional.empty();
    }

    /**
     * Shows every entry from the oldest state that can be read, with the state each is applied to.
     *
     * @throws IllegalStateException where the log was cut off meanwhile, or can not be read
     */
    void forEach(BiConsumer<CatalogState, LogEntry> seen) {
        long first = start.first();
        CatalogState base = first == 1
                ? CatalogState.EMPTY
                : checkpoints.list().stream()
                        .filter(name -> name.version() >= first - 1)
                        .flatMap(name -> checkpoints.read(name).stream())
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException(
                                "the log begins at entry " + first + " and no checkpoint at or after it is readable"));
        log.replay(base, Long.MAX_VALUE, seen);
        if (!isInLog(base)) {
            throw new IllegalStateException("old entries of the log went while it was read: run it again");
        }
    }

    /**
     * The newest state that can be had without the log, after version {@code after} and until {@code last}.
     *
     * @param first where the log begins: a state that ends before that leads nowhere
     */
    private Optional<CatalogState> base(long first, long after, long last) {
        List<CheckpointName> names = checkpoints.list().stream()
                .filter(name -> name.version() > after && name.version() <= last && name.version() >= first - 1)
                .toList();
        for (CheckpointName name : names.reversed()) {
            Optional<CatalogState> state = checkpoints.read(name);
            if (state.isPresent()) {
                return state;
            }
        }
        return first == 1 && after < 0 ? Optional.of(CatalogState.EMPTY) : Optional.empty();
    }

    /**
     * The state that the entries behind {@code base} lead to; empty where they are, by now, not part of the log any more.
     * Then they do not follow each other either: under a number that was forgotten there may be anything.
     */
    private Optional<CatalogState> replayed(CatalogState base, long last) {
        CatalogState reached;
        try {
            reached = log.replay(base, last);
        } catch (IllegalArgumentException | IllegalStateException e) {
            if (isInLog(base)) {
                throw e;
            }
            return Optional.empty();
        }
        return isInLog(base) ? Optional.of(reached) : Optional.empty();
    }

    /** Whether the entry behind {@code base} is part of the log, or the next to come. */
    private boolean isInLog(CatalogState base) {
        return start.first() <= base.version().number() + 1;
    }
}
