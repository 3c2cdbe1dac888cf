package io.weir.tests.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.store.CreateOutcome.AlreadyExists;
import io.weir.store.CreateOutcome.Created;
import io.weir.store.CreateOutcome.Failed;
import io.weir.store.CreateOutcome.Unknown;
import io.weir.store.ObjectStore;
import io.weir.store.StoreException;
import java.util.Optional;

/** How a careful writer uses a store that loses requests and answers: an id in the object tells whose it is. */
final class Settling {
    private Settling() {}

    /** True if this attempt's object is the one of the key. */
    static boolean create(ObjectStore store, String key, String attempt) {
        while (true) {
            switch (store.createIfAbsent(key, attempt.getBytes(UTF_8))) {
                case Created ignored -> {
                    return true;
                }
                case AlreadyExists ignored -> {
                    return read(store, key).orElseThrow().equals(attempt);
                }
                case Unknown ignored -> {
                    Optional<String> there = read(store, key);
                    if (there.isPresent()) {
                        return there.get().equals(attempt);
                    }
                }
                case Failed ignored -> {
                    continue;
                }
            }
        }
    }

    /** Puts the attempt at the first free number. */
    static String append(ObjectStore store, String prefix, String attempt) {
        int number = 1;
        while (!create(store, prefix + "%05d".formatted(number), attempt)) {
            number++;
        }
        return attempt;
    }

    private static Optional<String> read(ObjectStore store, String key) {
        while (true) {
            try {
                return store.read(key).map(bytes -> new String(bytes, UTF_8));
            } catch (StoreException again) {
                if (again.maybeHappened()) {
                    throw new AssertionError("a read that may have happened is no answer", again);
                }
            }
        }
    }
}
