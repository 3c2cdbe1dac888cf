package io.weir.coordinator;

import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * One simulated lake: its store, and what is true of it. The truth is what the store was first given under each number;
 * an entry made once more under a number that was deleted is not part of it.
 */
final class SimWorld {
    private static final int STEPS = 3_000;

    final SimSchedule schedule;
    final ObjectStore disk;
    final double faults;
    final int checkpointEvery;
    final Duration retention;
    /** How often a server was cut off. */
    int cuts;

    /** Requests whose senders gave them up, and that may happen yet. */
    final List<Runnable> onTheWay = new ArrayList<>();

    private final List<CatalogState> truth = new ArrayList<>(List.of(CatalogState.EMPTY));
    private final List<String> trace = new ArrayList<>();
    private long acknowledged;

    /** @param broken makes of a sound store the one that is simulated */
    SimWorld(long seed, BiFunction<ObjectStore, Random, ObjectStore> broken) {
        Random random = new Random(seed);
        this.schedule = new SimSchedule(random, STEPS);
        this.disk = broken.apply(ObjectStores.memory(), random);
        this.faults = new double[] {0, 0.01, 0.05, 0.15}[random.nextInt(4)];
        this.checkpointEvery = 1 + random.nextInt(6);
        this.retention = Duration.ofMillis(new int[] {0, 30, 200}[random.nextInt(3)]);
    }

    /** Something changed on the store: told where the run breaks a promise. */
    void did(String what) {
        trace.add(schedule.now() + " " + schedule.current() + ": " + what);
    }

    List<String> trace() {
        return trace;
    }

    /** Ends the run where something breaks a promise, also where whoever did it would go on. */
    void check(boolean holds, String promise) {
        if (!holds) {
            throw schedule.fail(new AssertionError(promise));
        }
    }

    /** The store let somebody make an entry. */
    void created(String key, byte[] bytes) {
        LogEntry entry = EntryCodec.decode(key, bytes);
        if (entry.version() < truth.size()) {
            return;
        }
        check(entry.version() == truth.size(), "entry " + entry.version() + " follows " + (truth.size() - 1));
        CatalogState last = truth.getLast();
        check(
                entry.epoch() >= last.epoch(),
                "a leader of epoch " + entry.epoch() + " wrote entry " + entry.version() + " behind one of epoch "
                        + last.epoch());
        truth.add(last.apply(entry));
    }

    CatalogState truth() {
        return truth.getLast();
    }

    /** Whoever sees a state sees one that the lake had, whole. */
    void seen(String who, CatalogState state) {
        long version = state.version().number();
        check(version < truth.size(), who + " sees version " + version + ", the lake has " + (truth.size() - 1));
        check(state.equals(truth.get((int) version)), who + " sees a version " + version + " the lake never had");
    }

    /** A commit was acknowledged at this version. */
    void acknowledged(CatalogState at) {
        seen("a client", at);
        acknowledged = Math.max(acknowledged, at.version().number());
    }

    /** What whoever begins to read now must find. */
    long acknowledged() {
        return acknowledged;
    }
}
