package io.weir.coordinator;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import io.weir.store.StoreException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.LongStream;
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
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

    private final ObjectStore store;
    private final int readAtOnce;
    private final Consumer<Duration> pause;

    CommitLog(ObjectStore store) {
        this(store, 256, CommitLog::sleep);
    }

    /** @param pause waits between two tries */
    CommitLog(ObjectStore store, int readAtOnce, Consumer<Duration> pause) {
        this.store = store;
        this.readAtOnce = readAtOnce;
        this.pause = pause;
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
                pause.accept(FIRST_PAUSE.multipliedBy(1L << attempt));
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

    /**
     * Applies the entries that follow {@code state}, up to version {@code last} or the first that is not there. Whether
     * that one is not there yet, or not any more, {@link LogStart} tells.
     */
    CatalogState replay(CatalogState state, long last) {
        return replay(state, last, (_, _) -> {});
    }

    /** @param seen is shown each entry, with the state it is applied to */
    CatalogState replay(CatalogState state, long last, BiConsumer<CatalogState, LogEntry> seen) {
        CatalogState reached = state;
        int together = 1;
        while (reached.version().number() < last) {
            long from = reached.version().number() + 1;
            long until = Math.min(last, from + together - 1);
            Map<Long, LogEntry> entries = new ConcurrentHashMap<>();
            Parallel.forEach(
                    LongStream.rangeClosed(from, until).boxed().toList(),
                    version -> read(version).ifPresent(entry -> entries.put(version, entry)));
            for (long version = from; version <= until; version++) {
                LogEntry entry = entries.get(version);
                if (entry == null) {
                    return reached;
                }
                seen.accept(reached, entry);
                reached = reached.apply(entry);
            }
            together = Math.min(readAtOnce, together * 4);
        }
        return reached;
    }

    void delete(long version) {
        store.delete(key(version));
    }

    static String key(long version) {
        return String.format(Locale.ROOT, "%s%020d.json", PREFIX, version);
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
