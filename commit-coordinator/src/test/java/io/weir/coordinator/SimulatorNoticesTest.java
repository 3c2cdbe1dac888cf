package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.iceberg.catalog.Namespace;
import org.junit.jupiter.api.Test;

/** What is broken on purpose the simulator finds, within a few hundred seeds. */
class SimulatorNoticesTest {
    private static final int SEEDS = 300;

    private static void assertNoticed(
            BiFunction<ObjectStore, Random, ObjectStore> broken, Consumer<SimWorld> intruder, String... ways) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                Simulation.run(seed, broken, intruder);
            } catch (AssertionError found) {
                assertThat(found.getMessage().lines().findFirst().orElseThrow()).containsAnyOf(ways);
                return;
            }
        }
        throw new AssertionError(SEEDS + " seeds, and nothing was noticed");
    }

    private static void assertNoticed(BiFunction<ObjectStore, Random, ObjectStore> broken, String... ways) {
        assertNoticed(broken, _ -> {}, ways);
    }

    @Test
    void aStoreThatLetsTwoWritersMakeOneEntry() {
        assertNoticed(
                (store, random) -> new ForwardingStore(store) {
                    @Override
                    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                        CreateOutcome outcome = super.createIfAbsent(key, bytes);
                        if (outcome instanceof CreateOutcome.AlreadyExists && random.nextInt(4) == 0) {
                            put(key, bytes);
                            return new CreateOutcome.Created();
                        }
                        return outcome;
                    }
                },
                "never had",
                "follows",
                "the lake has");
    }

    @Test
    void aStoreThatSaysItMadeWhatItDidNot() {
        assertNoticed(
                (store, random) -> new ForwardingStore(store) {
                    @Override
                    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                        return key.startsWith("_weir/log/") && random.nextInt(20) == 0
                                ? new CreateOutcome.Created()
                                : super.createIfAbsent(key, bytes);
                    }
                },
                "was acknowledged",
                "never had",
                "the lake has");
    }

    /** It writes behind whatever it finds, with the epoch it once had. */
    @Test
    void aLeaderThatDoesNotLookAtTheEpoch() {
        assertNoticed(
                (store, _) -> store,
                world -> world.schedule.spawn("careless", () -> careless(world)),
                "a leader of epoch 0 wrote entry");
    }

    private static void careless(SimWorld world) {
        CommitLog log = new CommitLog(new SimStore(world), 1, _ -> world.schedule.step());
        CatalogState state = CatalogState.EMPTY;
        for (int i = 0; ; i++) {
            world.schedule.sleep(50);
            state = log.replay(state, Long.MAX_VALUE);
            CommitLog.Appended unheeded = log.append(new LogEntry(
                    LogEntry.FORMAT,
                    state.version().next().number(),
                    0,
                    "careless " + i,
                    world.schedule.now(),
                    List.of(new Change.NamespaceSet(Namespace.of("careless" + i), Map.of()))));
            world.did("careless: " + unheeded);
        }
    }

    @Test
    void entriesThatGoBeforeTheStartOfTheLogIsDurable() {
        assertNoticed(
                (store, _) -> new ForwardingStore(store) {
                    @Override
                    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                        return key.startsWith("_weir/log-start/") && !key.endsWith("01.json")
                                ? forgetBelow(key)
                                : super.createIfAbsent(key, bytes);
                    }

                    private CreateOutcome forgetBelow(String start) {
                        String first = start.replace("log-start", "log");
                        list("_weir/log/", "", 1_000).stream()
                                .filter(key -> key.compareTo(first) < 0)
                                .forEach(this::delete);
                        return new CreateOutcome.Created();
                    }
                },
                "can not be read",
                "never had",
                "sees version",
                "follows",
                "the last that can be read");
    }

    /** Not even the entries that a leader meets that was cut off. */
    @Test
    void aRetentionThatKeepsNothingForALeaderThatSlept() {
        assertNoticed(
                (store, _) -> new ForwardingStore(store) {
                    @Override
                    public void delete(String key) {
                        super.delete(key);
                        if (key.startsWith("_weir/log-start/")) {
                            String start = list("_weir/log-start/", "", 1_000).getLast();
                            list("_weir/log/", "", 1_000).stream()
                                    .filter(entry -> entry.compareTo(start.replace("log-start", "log")) < 0)
                                    .forEach(super::delete);
                        }
                    }
                },
                "never had",
                "was acknowledged");
    }

    /** A checkpoint that does not say all. */
    @Test
    void aCheckpointThatForgets() {
        assertNoticed(
                (store, random) -> new ForwardingStore(store) {
                    @Override
                    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                        if (!key.startsWith(CheckpointName.FOLDER)
                                || !(CheckpointCodec.decode(key, bytes) instanceof CheckpointCodec.Decoded.Whole whole)
                                || whole.state().answered().inOrder().isEmpty()) {
                            return super.createIfAbsent(key, bytes);
                        }
                        return super.createIfAbsent(
                                key, CheckpointCodec.encode(whole.state().withAnswered(AnsweredRequests.NONE)));
                    }
                },
                "never had");
    }
}
