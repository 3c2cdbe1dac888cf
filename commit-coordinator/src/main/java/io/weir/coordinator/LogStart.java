package io.weir.coordinator;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import io.weir.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where the log begins: entries below have been, or are being, deleted, and whatever is found under their names is not
 * part of the log. It stands on the store before the first of them goes, and only ever moves up: each position is an
 * object of its own, created if absent, and the highest counts.
 *
 * <p>This is what tells an entry that is not there yet from one that is not there any more. So whoever has read entries by
 * their numbers asks afterwards whether the log still began at or before the first of them.
 */
final class LogStart {
    private static final String FOLDER = "_weir/log-start/";
    private static final int POSITIONS_AT_MOST = 1_000;

    private final ObjectStore store;

    LogStart(ObjectStore store) {
        this.store = store;
    }

    /** The number of the first entry that counts: 1 where nothing was ever deleted. */
    long first() {
        List<Long> positions = positions();
        return positions.isEmpty() ? 1 : positions.getLast();
    }

    /** All positions that are known, lowest first; below the lowest nothing is left. */
    List<Long> positions() {
        return store.list(FOLDER, "", POSITIONS_AT_MOST).stream()
                .map(key -> Long.parseLong(key, FOLDER.length(), FOLDER.length() + 20, 10))
                .toList();
    }

    /**
     * Moves the start up; returns when that is durable.
     *
     * @throws StoreException where it is not known to be
     */
    void advance(long first) {
        String key = key(first);
        byte[] body = ("{\"first\":" + first + "}\n").getBytes(StandardCharsets.UTF_8);
        switch (store.createIfAbsent(key, body)) {
            case CreateOutcome.Created _, CreateOutcome.AlreadyExists _ -> {}
            case CreateOutcome.Failed failed -> throw failed.cause();
            case CreateOutcome.Unknown unknown -> {
                Optional<byte[]> there = store.read(key);
                if (there.isEmpty()) {
                    throw StoreException.unknown(
                            "whether the log of the lake begins at " + first + " now is not known: "
                                    + unknown.cause().getMessage(),
                            "nothing is deleted; it is tried again later",
                            unknown.cause());
                }
            }
        }
    }

    /** Forgets a position that is not the highest. */
    void forget(long position) {
        store.delete(key(position));
    }

    private static String key(long position) {
        return String.format(Locale.ROOT, "%s%020d.json", FOLDER, position);
    }
}
