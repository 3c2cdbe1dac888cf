package io.weir.coordinator;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The states of the lake that were put on the store so that reading the lake need not begin with its first entry. They
 * hold nothing that the log does not: one that is missing costs time, and a damaged one is reported and passed over.
 *
 * <p>The state of a version is the same whoever writes it, so it does not matter who does, nor how often.
 */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final int LISTED_AT_ONCE = 1_000;

    private final ObjectStore store;

    Checkpoints(ObjectStore store) {
        this.store = store;
    }

    /** What is on the store, oldest first. */
    List<CheckpointName> list() {
        List<CheckpointName> names = new ArrayList<>();
        String after = "";
        while (true) {
            List<String> keys = store.list(CheckpointName.FOLDER, after, LISTED_AT_ONCE);
            keys.forEach(key -> CheckpointName.parse(key).ifPresent(names::add));
            if (keys.size() < LISTED_AT_ONCE) {
                return names;
            }
            after = keys.getLast();
        }
    }

    /**
     * The state a checkpoint holds; empty where it is gone or damaged, which is reported.
     *
     * @throws IllegalStateException where a newer Weir wrote it
     */
    Optional<CatalogState> read(CheckpointName name) {
        Optional<byte[]> bytes = store.read(name.key());
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        return switch (CheckpointCodec.decode(name.key(), bytes.get())) {
            case CheckpointCodec.Decoded.Whole whole
            when whole.state().version().number() == name.version() -> Optional.of(whole.state());
            case CheckpointCodec.Decoded.Whole whole -> {
                report(name, "it holds version " + whole.state().version());
                yield Optional.empty();
            }
            case CheckpointCodec.Decoded.Damaged damaged -> {
                report(name, damaged.why());
                yield Optional.empty();
            }
        };
    }

    private static void report(CheckpointName name, String why) {
        LOG.error(
                "checkpoint {} is damaged and passed over: {}. The lake is read from the one before it or from its log;"
                        + " nothing is lost, and the object can be deleted",
                name,
                why);
    }

    /**
     * Puts the state on the store, unless it is there.
     *
     * @throws io.weir.store.StoreException where it certainly is not there afterwards
     */
    CheckpointName write(CatalogState state) {
        CheckpointName name = CheckpointName.of(state);
        switch (store.createIfAbsent(name.key(), CheckpointCodec.encode(state))) {
            case CreateOutcome.Created _, CreateOutcome.AlreadyExists _ -> {}
            case CreateOutcome.Unknown unknown ->
                LOG.warn(
                        "checkpoint {} may or may not have been written: {}",
                        name,
                        unknown.cause().getMessage());
            case CreateOutcome.Failed failed -> throw failed.cause();
        }
        return name;
    }

    void delete(CheckpointName name) {
        store.delete(name.key());
    }
}
