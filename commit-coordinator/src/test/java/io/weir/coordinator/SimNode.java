package io.weir.coordinator;

import io.weir.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.iceberg.inmemory.InMemoryFileIO;

/**
 * A server of the simulated lake: it takes over, commits what it is given, writes checkpoints and cuts the log off, all
 * with the code that real servers run. It may stand still, be cut off from the store, or end, at any step.
 */
final class SimNode {
    private final SimWorld world;
    private final String name;
    private final SimStore store;
    private final CommitLog log;
    private final LogStart start;
    private final Checkpoints checkpoints;
    private final LakeHistory history;
    private final SimSchedule.Actor server;
    private final SimSchedule.Actor keeper;
    private Coordinator coordinator;
    private CatalogState state;

    SimNode(SimWorld world, String name) {
        this.world = world;
        this.name = name;
        this.store = new SimStore(world);
        this.log = new CommitLog(store, 1, _ -> world.schedule.step());
        this.start = new LogStart(store);
        this.checkpoints = new Checkpoints(store);
        this.history = new LakeHistory(log, start, checkpoints);
        this.server = world.schedule.spawn(name, this::serve);
        this.keeper = world.schedule.spawn("keeper of " + name, this::keep);
    }

    private void serve() {
        while (coordinator == null) {
            try {
                published(new Leader(log, start, history, world.schedule.clock()).take("sim", name));
                coordinator = coordinator(state);
            } catch (StoreException | IllegalStateException e) {
                SimFaults.expect(world, e);
                world.schedule.step();
            }
        }
        while (!server.killed()) {
            coordinator.step(Duration.ZERO);
            world.schedule.sleep(3);
        }
    }

    private Coordinator coordinator(CatalogState led) {
        StagedFiles files = new StagedFiles(new InMemoryFileIO());
        TableMetadataFiles tables = new TableMetadataFiles(files);
        ViewMetadataFiles views = new ViewMetadataFiles(files);
        return new Coordinator(
                led,
                led.epoch(),
                new CommitGroup(files, tables, views, Derivation.none(), CommitMeter.NONE),
                log,
                history,
                tables,
                world.schedule.clock(),
                this::published,
                (SameThread) SameThread.forManifests(1),
                new CommitLimits(1_000, 1 << 30, Duration.ofDays(365)),
                CommitMeter.NONE);
    }

    private void published(CatalogState published) {
        world.seen(name, published);
        state = published;
    }

    private void keep() {
        LogKeeper tending = null;
        while (true) {
            world.schedule.sleep(10);
            try {
                if (tending == null) {
                    tending = new LogKeeper(
                            checkpoints,
                            new LogRetention(log, start, checkpoints, world.retention, 1),
                            world.checkpointEvery,
                            world.schedule.clock());
                } else if (state != null && tending.isDue(state)) {
                    tending.run(state);
                }
            } catch (StoreException e) {
                SimFaults.expect(world, e);
            }
        }
    }

    /** Empty where it serves nobody yet. */
    Optional<CompletableFuture<CommitOutcome>> submit(LakeRequest request) {
        return coordinator == null
                ? Optional.empty()
                : Optional.of(
                        coordinator.submit(new PreparedRequest(request, world.schedule.now(), java.util.Map.of())));
    }

    void kill() {
        world.schedule.kill(server);
        world.schedule.kill(keeper);
    }

    /** As a machine that is suspended, or only one of its threads. */
    void freeze(int steps, boolean both) {
        world.schedule.freeze(server, steps);
        if (both) {
            world.schedule.freeze(keeper, steps);
        }
    }

    void cut(boolean isCut) {
        store.cut(isCut);
    }
}
