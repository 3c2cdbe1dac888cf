package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.Fault;
import io.weir.store.FaultPlan;
import io.weir.store.FaultyStore;
import io.weir.store.LakeFileIO;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.catalog.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller is told holds, whatever the store's answers were. */
class LakeOnABadNetworkTest {
    private static final int WRITERS = 4;
    private static final int COMMITS = 8;

    @TempDir
    private Path folder;

    private ObjectStore store() {
        return ObjectStores.local(folder);
    }

    private Lake open(ObjectStore store) {
        return Lake.open(
                LakeOptions.named("test"),
                store,
                LakeFileIO.open(folder.toUri(), S3Config.defaults()),
                Derivation.none());
    }

    private static CommitOutcome create(Lake lake, Namespace name) {
        return lake.commit(LakeRequest.of(Caller.WEIR, new Action.CreateNamespace(name, Map.of())));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void committedMeansThereAndRefusedMeansNever(long seed) throws Exception {
        AtomicBoolean bad = new AtomicBoolean();
        FaultPlan faults = FaultPlan.seeded(seed, 0.4);
        FaultPlan onceOpen = (operation, key) ->
                bad.get() && key.startsWith("_weir/log/") ? faults.next(operation, key) : Fault.NONE;
        Map<Namespace, CommitOutcome> outcomes = new ConcurrentHashMap<>();
        try (Lake lake = open(FaultyStore.wrap(store(), onceOpen));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            bad.set(true);
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(threads.submit(() -> {
                    for (int i = 0; i < COMMITS; i++) {
                        Namespace name = Namespace.of("n" + number + "_" + i);
                        outcomes.put(name, create(lake, name));
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            bad.set(false);
        }
        try (Lake after = open(store())) {
            outcomes.forEach((name, outcome) -> {
                boolean there = after.state().hasNamespace(name);
                switch (outcome) {
                    case CommitOutcome.Committed _ ->
                        assertThat(there).as("%s, committed", name).isTrue();
                    case CommitOutcome.Conflict _,
                            CommitOutcome.Rejected _,
                            CommitOutcome.Fenced _,
                            CommitOutcome.Overloaded _ ->
                        assertThat(there).as("%s: %s", name, outcome).isFalse();
                    case CommitOutcome.Unknown _ -> {}
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aLostAnswerIsSettledByReadingBack(Fault fault) {
        AtomicBoolean bad = new AtomicBoolean();
        FaultPlan once = (operation, key) ->
                operation == FaultPlan.Operation.CREATE && bad.compareAndSet(true, false) ? fault : Fault.NONE;
        try (Lake lake = open(FaultyStore.wrap(store(), once))) {
            long before = lake.state().version().number();
            bad.set(true);
            assertThat(create(lake, Namespace.of("a"))).isInstanceOf(CommitOutcome.Committed.class);
            assertThat(lake.state().version().number()).isEqualTo(before + 1);
        }
    }

    @Test
    void whatCanNotBeSettledIsUnknownAndTheNextCommitSettlesIt() {
        AtomicBoolean bad = new AtomicBoolean();
        FaultPlan cut = (operation, key) -> bad.get() && key.startsWith("_weir/log/") ? Fault.ANSWER_LOST : Fault.NONE;
        try (Lake lake = open(FaultyStore.wrap(store(), cut))) {
            long before = lake.state().version().number();
            bad.set(true);
            assertThat(create(lake, Namespace.of("a"))).isInstanceOf(CommitOutcome.Unknown.class);
            bad.set(false);
            assertThat(create(lake, Namespace.of("b"))).isInstanceOf(CommitOutcome.Committed.class);
            assertThat(lake.state().hasNamespace(Namespace.of("a"))).isTrue();
            assertThat(lake.state().version().number()).isEqualTo(before + 2);
        }
    }

    /** Found by the simulator: it took the later leader's state for the one to go on from. */
    @Test
    void aLeaderThatLearnsOfALaterOneWhileItSettlesAnEntryWritesNothingMore() {
        AtomicInteger lost = new AtomicInteger();
        AtomicInteger unread = new AtomicInteger();
        FaultPlan cut = (operation, _) -> switch (operation) {
            case CREATE -> lost.getAndDecrement() > 0 ? Fault.REQUEST_LOST : Fault.NONE;
            case READ -> unread.getAndDecrement() > 0 ? Fault.REFUSED : Fault.NONE;
            case PUT, LIST, DELETE, CLOCK -> Fault.NONE;
        };
        try (Lake first = open(FaultyStore.wrap(store(), cut));
                Lake second = open(store())) {
            long led = second.state().version().number();
            lost.set(5);
            unread.set(5);
            assertThat(create(first, Namespace.of("a"))).isInstanceOf(CommitOutcome.Unknown.class);
            assertThat(first.state().version().number()).isEqualTo(led);
            assertThat(create(first, Namespace.of("b"))).isInstanceOf(CommitOutcome.Fenced.class);
            assertThat(create(second, Namespace.of("b"))).isInstanceOf(CommitOutcome.Committed.class);
        }
    }
}
