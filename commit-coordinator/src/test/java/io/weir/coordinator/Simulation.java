package io.weir.coordinator;

import io.weir.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * One run of a simulated lake: writers, readers and servers that take over from each other, stand still, are cut off and
 * end, on a store whose answers get lost and whose requests arrive late, while checkpoints are written and the log is cut
 * off. All of it is told by the seed.
 *
 * <p>What must hold is checked as it goes and at the end: acknowledged is durable; at most once; versions without gaps;
 * nobody sees a state the lake did not have, so no half of a group either; a leader that was cut off commits nothing.
 */
final class Simulation {
    private final SimWorld world;
    private final List<SimNode> nodes = new ArrayList<>();
    private final List<SimClient> clients = new ArrayList<>();
    private int started;

    private Simulation(long seed, BiFunction<ObjectStore, Random, ObjectStore> broken) {
        this.world = new SimWorld(seed, broken);
    }

    /** How far a run came, so that one in which nothing happens is noticed. */
    record Reached(long version, long epoch, long logStart, long applied) {}

    /** @throws AssertionError what did not hold */
    static Reached run(long seed) {
        return run(seed, (store, _) -> store, _ -> {});
    }

    /**
     * With something broken, to see that it is noticed.
     *
     * @param broken makes of the sound store, and the run's randomness, the one to use
     * @param intruder adds actors of its own
     */
    static Reached run(long seed, BiFunction<ObjectStore, Random, ObjectStore> broken, Consumer<SimWorld> intruder) {
        return new Simulation(seed, broken).run(intruder);
    }

    private Reached run(Consumer<SimWorld> intruder) {
        int servers = 1 + world.schedule.random().nextInt(3);
        for (int i = 0; i < servers; i++) {
            startNode();
        }
        for (int i = 1 + world.schedule.random().nextInt(3); i > 0; i--) {
            clients.add(new SimClient(world, "client" + i, this::anyNode));
        }
        new SimReader(world);
        world.schedule.spawn("network", this::deliver);
        world.schedule.spawn("fate", this::strike);
        intruder.accept(world);
        try {
            world.schedule.run();
            world.onTheWay.forEach(Runnable::run);
            return judge();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\nWhat changed on the store before:\n" + String.join("\n", world.trace()), e);
        }
    }

    private void startNode() {
        nodes.add(new SimNode(world, "node" + ++started));
    }

    /** Mostly the one that came last, which is most likely to lead. */
    private SimNode anyNode() {
        return world.schedule.chance(0.7)
                ? nodes.getLast()
                : nodes.get(world.schedule.random().nextInt(nodes.size()));
    }

    /** What was given up may arrive all the same. */
    private void deliver() {
        while (true) {
            world.schedule.sleep(10);
            if (!world.onTheWay.isEmpty() && world.schedule.chance(0.3)) {
                world.onTheWay
                        .remove(world.schedule.random().nextInt(world.onTheWay.size()))
                        .run();
            }
        }
    }

    /** What happens to servers. */
    private void strike() {
        while (true) {
            world.schedule.sleep(20);
            SimNode node = nodes.get(world.schedule.random().nextInt(nodes.size()));
            double fate = world.schedule.random().nextDouble();
            if (fate < 0.02) {
                node.kill();
                startNode();
            } else if (fate < 0.05) {
                startNode();
            } else if (fate < 0.12) {
                node.freeze(20 + world.schedule.random().nextInt(800), world.schedule.chance(0.5));
            } else if (fate < 0.16) {
                node.cut(true);
            } else if (fate < 0.25) {
                nodes.forEach(each -> each.cut(false));
            }
        }
    }

    private Reached judge() {
        ObjectStore disk = world.disk;
        CatalogState last = new LakeHistory(new CommitLog(disk), new LogStart(disk), new Checkpoints(disk)).newest();
        world.seen("whoever comes in the end", last);
        world.check(
                last.version().equals(world.truth().version()),
                "the lake has version " + world.truth().version() + ", the last that can be read is " + last.version());
        clients.forEach(client -> client.judge(last));
        return new Reached(
                last.version().number(),
                last.epoch(),
                new LogStart(disk).first(),
                clients.stream().mapToLong(SimClient::applied).sum());
    }
}
