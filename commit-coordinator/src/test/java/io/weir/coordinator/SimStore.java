package io.weir.coordinator;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import io.weir.store.StoreException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One process's way to the simulated store. Before and behind each operation others may come between; it may happen or
 * not, be reported or not, and one that was given up may happen long after.
 */
final class SimStore implements ObjectStore {
    private final SimWorld world;
    private boolean cut;

    SimStore(SimWorld world) {
        this.world = world;
    }

    /** From here on nothing gets through, until it does again. */
    void cut(boolean isCut) {
        cut = isCut;
        world.cuts += isCut ? 1 : 0;
    }

    private <T> T call(Supplier<T> operation, boolean changes) {
        world.schedule.step();
        if (cut || world.schedule.chance(world.faults)) {
            if (changes && !cut && world.schedule.chance(0.5)) {
                world.onTheWay.add(() -> {
                    Object unheard = operation.get();
                    world.check(unheard != null, "every operation has an answer");
                });
            }
            throw changes
                    ? StoreException.unknown("the simulated network gave no answer", "try again", null)
                    : unavailable();
        }
        T result = operation.get();
        world.schedule.step();
        if (cut || world.schedule.chance(world.faults)) {
            throw StoreException.unknown("the simulated network lost the answer", "try again", null);
        }
        return result;
    }

    private static StoreException unavailable() {
        return StoreException.unknown("the simulated store is not available", "try again", null);
    }

    @Override
    public Optional<byte[]> read(String key) {
        return call(() -> world.disk.read(key), false);
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        if (world.schedule.chance(world.faults)) {
            world.schedule.step();
            return new CreateOutcome.Failed(unavailable());
        }
        try {
            return call(() -> create(key, bytes), true);
        } catch (StoreException e) {
            return new CreateOutcome.Unknown(new IOException(e.getMessage(), e));
        }
    }

    private CreateOutcome create(String key, byte[] bytes) {
        CreateOutcome outcome = world.disk.createIfAbsent(key, bytes);
        world.did("create " + key + " " + outcome);
        if (outcome instanceof CreateOutcome.Created && key.startsWith("_weir/log/")) {
            world.created(key, bytes);
        }
        return outcome;
    }

    @Override
    public void put(String key, byte[] bytes) {
        throw new UnsupportedOperationException("nothing of a lake's log is ever replaced: " + key);
    }

    @Override
    public List<String> list(String prefix, String startAfter, int limit) {
        return call(() -> world.disk.list(prefix, startAfter, limit), false);
    }

    @Override
    public void delete(String key) {
        call(
                () -> {
                    world.disk.delete(key);
                    world.did("delete " + key);
                    return key;
                },
                true);
    }

    @Override
    public Instant clock() {
        return world.schedule.now();
    }

    @Override
    public String root() {
        return world.disk.root();
    }

    @Override
    public void close() {}
}
