package io.weir.coordinator;

import io.weir.store.StoreException;
import java.util.Optional;

/** Reads the lake as a follower does, and looks into its past. Everything it sees is checked against the truth. */
final class SimReader {
    private final SimWorld world;
    private final LogStart start;
    private final LakeHistory history;
    private CatalogState state = CatalogState.EMPTY;

    SimReader(SimWorld world) {
        this.world = world;
        SimStore store = new SimStore(world);
        this.start = new LogStart(store);
        this.history =
                new LakeHistory(new CommitLog(store, 1, _ -> world.schedule.step()), start, new Checkpoints(store));
        world.schedule.spawn("reader", this::read);
    }

    private void read() {
        while (true) {
            world.schedule.sleep(world.schedule.random().nextInt(30));
            long acknowledged = world.acknowledged();
            try {
                if (world.schedule.chance(0.3)) {
                    past();
                } else {
                    CatalogState newest = world.schedule.chance(0.3) ? history.newest() : history.catchUp(state);
                    world.seen("a reader", newest);
                    world.check(
                            newest.version().number() >= acknowledged,
                            "a reader sees version " + newest.version() + ", " + acknowledged
                                    + " was acknowledged before");
                    state = newest;
                }
            } catch (StoreException e) {
                SimFaults.expect(world, e);
            }
        }
    }

    private void past() {
        long first = start.first();
        long last = state.version().number();
        if (last < first) {
            return;
        }
        Version version = new Version(first + world.schedule.random().nextInt((int) (last - first + 1)));
        Optional<CatalogState> found = history.at(version, Optional.empty());
        found.ifPresent(past -> {
            world.seen("a reader of the past", past);
            world.check(past.version().equals(version), "asked for " + version + ", got " + past.version());
        });
        world.check(
                found.isPresent() || start.first() > version.number(),
                "version " + version + " is in the log and can not be read");
    }
}
