package io.weir.coordinator;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import io.weir.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log on the store: one object per version, made once, never changed. That the store makes an object at most once is
 * all that commits rest on.
 *
 * <p>{@link #append} settles a lost answer by reading the entry back and comparing attempts (DESIGN 2). What it can not
 * settle it reports: the version may then hold the entry now, later or never, and only an entry that is found there
 * tells. Writing another entry under the same version is safe, and settles it.
 */
final class CommitLog {
    private static final Logger LOG = LoggerFactory.getLogger(CommitLog.class);
    private static final String PREFIX = "_weir/log/";
    private static final int TRIES = 5;
    private static final int READ_AT_ONCE = 256;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

    private final ObjectStore store;

    CommitLog(ObjectStore store) {
        this.store = store;
    }

    /** How an append ended. */
    sealed interface Appended {
        /** The entry is in the log. */
        record Done() implements Appended {}

        /** Another entry has this version. The one to append certainly is not in the log, and never will be. */
        record Taken(LogEntry by) implements Appended {}

        /** Certainly not in the log. */
        record Failed(String why) implements Appended {}

        record Unsettled(String why) implements Appended {}
    }

    Appended append(LogEntry entry) {
        String key = key(entry.version());
        byte[] bytes = EntryCodec.encode(entry);
        boolean mayHaveHappened = false;
        String why = "";
        for (int attempt = 0; attempt < TRIES; attempt++) {
            if (attempt > 0) {
                pause(FIRST_PAUSE.multipliedBy(1L << attempt));
            }
            switch (store.createIfAbsent(key, bytes)) {
                case CreateOutcome.Created _ -> {
                    return new Appended.Done();
                }
                case CreateOutcome.AlreadyExists _ -> {
                    Optional<LogEntry> found = readBack(entry.version());
                    if (found.isPresent()) {
                        return found.get().attempt().equals(entry.attempt())
                                ? new Appended.Done()
                                : new Appended.Taken(found.get());
                    }
                    mayHaveHappened = true;
                    why = "the entry is there but can not be read back";
                }
                case CreateOutcome.Failed failed -> why = failed.cause().getMessage();
                case CreateOutcome.Unknown unknown -> {
                    mayHaveHappened = true;
                    why = String.valueOf(unknown.cause().getMessage());
                    Optional<LogEntry> found = readBack(entry.version());
                    if (found.isPresent()) {
                        return found.get().attempt().equals(entry.attempt())
                                ? new Appended.Done()
                                : new Appended.Taken(found.get());
                    }
                }
            }
            LOG.warn("log entry {} not written, try {} of {}: {}", entry.version(), attempt + 1, TRIES, why);
        }
        return mayHaveHappened ? new Appended.Unsettled(why) : new Appended.Failed(why);
    }

    /** Empty also when the store can not be read just now: not knowing is what the caller must then assume. */
    private Optional<LogEntry> readBack(long version) {
        try {
            return read(version);
        } catch (StoreException e) {
            LOG.warn("log entry {} can not be read back: {}", version, e.getMessage());
            return Optional.empty();
        }
    }

    Optional<LogEntry> read(long version) {
        String key = key(version);
        return store.read(key).map(bytes -> EntryCodec.decode(key, bytes));
    }

    /** Applies what the log holds beyond {@code state}. */
    CatalogState catchUp(CatalogState state) {
        CatalogState reached = state;
        while (true) {
            List<String> keys = store.list(PREFIX, key(reached.version().number()), READ_AT_ONCE);
            if (keys.isEmpty()) {
                return reached;
            }
            Map<String, LogEntry> entries = new ConcurrentHashMap<>();
            Parallel.forEach(keys, key -> entries.put(key, decoded(key)));
            for (String key : keys) {
                reached = reached.apply(entries.get(key));
            }
        }
    }

    private LogEntry decoded(String key) {
        return EntryCodec.decode(
                key,
                store.read(key)
                        .orElseThrow(() -> new IllegalStateException("log entry " + key + " is listed but not there")));
    }

    static String key(long version) {
        return String.format(Locale.ROOT, "%s%020d.json", PREFIX, version);
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
