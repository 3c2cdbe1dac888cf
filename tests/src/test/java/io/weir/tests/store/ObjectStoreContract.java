package io.weir.tests.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.store.CreateOutcome;
import io.weir.store.CreateOutcome.AlreadyExists;
import io.weir.store.CreateOutcome.Created;
import io.weir.store.CreateOutcome.Failed;
import io.weir.store.CreateOutcome.Unknown;
import io.weir.store.Fault;
import io.weir.store.FaultPlan;
import io.weir.store.FaultPlan.Operation;
import io.weir.store.FaultyStore;
import io.weir.store.ObjectStore;
import io.weir.store.ProofResult;
import io.weir.store.StoreException;
import io.weir.store.StoreProof;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every object store must do, well and on a bad day. A backend's test is a subclass that opens an empty store.
 */
abstract class ObjectStoreContract {
    private static final int WRITERS = 20;
    private static final byte[] ONE = "one".getBytes(UTF_8);
    private static final byte[] TWO = "two".getBytes(UTF_8);

    private ObjectStore store;

    /** A store with nothing in it. */
    abstract ObjectStore open();

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        if (store != null) {
            store.close();
        }
    }

    final ObjectStore store() {
        return store;
    }

    @Test
    void aKeyWithoutObjectReadsAsEmpty() {
        assertThat(store.read("none")).isEmpty();
        assertThat(store.read("none/at/all")).isEmpty();
    }

    @Test
    void whatWasCreatedIsReadWholeAndListedAtOnce() {
        byte[] large = new byte[3_000_000];
        large[2_999_999] = 7;
        assertThat(store.createIfAbsent("a/large", large)).isInstanceOf(Created.class);
        assertThat(store.read("a/large")).get().isEqualTo(large);
        assertThat(store.list("", "", 10)).containsExactly("a/large");
    }

    @Test
    void anObjectMayBeEmpty() {
        assertThat(store.createIfAbsent("empty", new byte[0])).isInstanceOf(Created.class);
        assertThat(store.read("empty")).get().isEqualTo(new byte[0]);
        assertThat(store.createIfAbsent("empty", ONE)).isInstanceOf(AlreadyExists.class);
    }

    @Test
    void creatingOverAnObjectLeavesItAsItWas() {
        store.createIfAbsent("k", ONE);
        assertThat(store.createIfAbsent("k", TWO)).isInstanceOf(AlreadyExists.class);
        assertThat(store.createIfAbsent("k", ONE)).isInstanceOf(AlreadyExists.class);
        assertThat(store.read("k")).get().isEqualTo(ONE);
    }

    @Test
    void exactlyOneOfTwentyConcurrentWritersCreates() {
        for (int round = 0; round < 10; round++) {
            String key = "race/" + round;
            List<CreateOutcome> outcomes =
                    Together.run(WRITERS, writer -> store.createIfAbsent(key, ("w" + writer).getBytes(UTF_8)));
            List<Integer> winners = IntStream.range(0, WRITERS)
                    .filter(writer -> outcomes.get(writer) instanceof Created)
                    .boxed()
                    .toList();
            assertThat(winners).hasSize(1);
            assertThat(outcomes).filteredOn(AlreadyExists.class::isInstance).hasSize(WRITERS - 1);
            assertThat(store.read(key)).get().isEqualTo(("w" + winners.getFirst()).getBytes(UTF_8));
        }
    }

    @Test
    void aReaderSeesAWholeObjectOrNone() {
        byte[] bytes = new byte[200_000];
        List<Boolean> whole = Together.run(5, each -> {
            store.put("whole", bytes);
            return store.read("whole").map(read -> read.length == bytes.length).orElse(false);
        });
        assertThat(whole).containsOnly(true);
    }

    @Test
    void putMakesAndReplaces() {
        store.put("k", ONE);
        assertThat(store.read("k")).get().isEqualTo(ONE);
        store.put("k", TWO);
        assertThat(store.read("k")).get().isEqualTo(TWO);
        assertThat(store.createIfAbsent("k", ONE)).isInstanceOf(AlreadyExists.class);
    }

    @Test
    void listingIsInTheOrderOfUtf8BytesAcrossFolders() {
        List<String> keys = List.of("a", "a b", "a.txt", "b/c", "b/d/e", "b/d0", "b0", "ü", "｡");
        List.of("b/d0", "a.txt", "b0", "ü", "b/d/e", "a", "｡", "b/c", "a b").forEach(key -> store.put("x/" + key, ONE));
        store.put("y", ONE);
        List<String> expected = keys.stream().map(key -> "x/" + key).toList();
        assertThat(store.list("x/", "", 100)).isEqualTo(expected);
    }

    @Test
    void aListingBeginsAfterAKeyAndStopsAtItsLimit() {
        IntStream.range(0, 7).forEach(i -> store.put("log/" + i, ONE));
        store.put("zzz", ONE);
        assertThat(store.list("log/", "log/2", 3)).containsExactly("log/3", "log/4", "log/5");
        assertThat(store.list("log/", "log/25", 2)).containsExactly("log/3", "log/4");
        assertThat(store.list("log/", "log/6", 3)).isEmpty();
        assertThat(store.list("log/", "a", 1)).containsExactly("log/0");
        assertThat(store.list("log/5", "", 9)).containsExactly("log/5");
        assertThat(store.list("lo", "", 100)).hasSize(7);
        assertThat(store.list("none/", "", 3)).isEmpty();
    }

    @Test
    void whatWasDeletedIsGoneAndCanBeCreatedAgain() {
        store.put("d/k", ONE);
        store.delete("d/k");
        assertThat(store.read("d/k")).isEmpty();
        assertThat(store.list("", "", 10)).isEmpty();
        store.delete("d/k");
        store.delete("never/was");
        assertThat(store.createIfAbsent("d/k", TWO)).isInstanceOf(Created.class);
    }

    @Test
    void keysWithSpecialCharactersAreKeptApart() {
        List<String> keys = List.of("p/a b", "p/a%20b", "p/a+b", "p/ä?#&=", "p/weird'\"name", "p/😀");
        keys.forEach(key -> assertThat(store.createIfAbsent(key, key.getBytes(UTF_8)))
                .as(key)
                .isInstanceOf(Created.class));
        keys.forEach(key -> assertThat(store.read(key)).get().isEqualTo(key.getBytes(UTF_8)));
        assertThat(store.list("p/", "", 10)).containsExactlyInAnyOrderElementsOf(keys);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "a/../b", ".", ".weir-tmp-x"})
    void aKeyThatIsNotWellFormedIsTheCallersFault(String key) {
        assertThatThrownBy(() -> store.read(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.put(key, ONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.createIfAbsent(key, ONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.delete(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theClockIsAboutRight() {
        assertThat(Duration.between(store.clock(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void theStoreIsProvenAndLeftClean() {
        long start = System.nanoTime();
        ProofResult result = StoreProof.quick(store);
        System.out.println(store.root() + ": " + Duration.ofNanos(System.nanoTime() - start) + " " + result);
        assertThat(result).isInstanceOf(ProofResult.Proven.class);
        assertThat(store.list("", "", 10)).isEmpty();
    }

    @Test
    void lostAnswersToWritersDoNotRefuteASafeStore() {
        FaultPlan plan = FaultPlan.script(
                Operation.CREATE, Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.NONE, Fault.ANSWER_LOST);
        assertThat(StoreProof.quick(FaultyStore.wrap(store, plan))).isInstanceOf(ProofResult.Proven.class);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aCreationThatFailsHappenedOrNotAsItsFaultSays(Fault fault) {
        ObjectStore faulty = FaultyStore.wrap(store, FaultPlan.script(Operation.CREATE, fault));
        CreateOutcome outcome = faulty.createIfAbsent("k", ONE);
        assertThat(store.read("k").isPresent()).isEqualTo(fault.happens());
        Class<?> expected = switch (fault) {
            case NONE -> Created.class;
            case ANSWER_LOST, REQUEST_LOST -> Unknown.class;
            case REFUSED -> Failed.class;
        };
        assertThat(outcome).isInstanceOf(expected);
        assertThat(faulty.createIfAbsent("k", TWO)).isInstanceOf(fault.happens() ? AlreadyExists.class : Created.class);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aPutAndADeletionThatFailHappenedOrNotAsTheirFaultSays(Fault fault) {
        ObjectStore faulty = FaultyStore.wrap(store, FaultPlan.always(fault));
        assertFault(fault, () -> faulty.put("k", ONE));
        assertThat(store.read("k").isPresent()).isEqualTo(fault.happens());
        store.put("k", ONE);
        assertFault(fault, () -> faulty.delete("k"));
        assertThat(store.read("k").isPresent()).isEqualTo(!fault.happens());
        store.put("k", TWO);
        if (fault != Fault.NONE) {
            assertThatThrownBy(() -> faulty.read("k")).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> faulty.list("", "", 1)).isInstanceOf(StoreException.class);
        }
    }

    private static void assertFault(Fault fault, Runnable operation) {
        if (fault == Fault.NONE) {
            operation.run();
            return;
        }
        assertThatThrownBy(operation::run)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.maybeHappened()).isEqualTo(fault != Fault.REFUSED));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void twentyWritersOnABadNetworkAgreeOnOneWinner(long seed) {
        ObjectStore faulty = FaultyStore.wrap(store, FaultPlan.seeded(seed, 0.4));
        List<Boolean> won = Together.run(WRITERS, writer -> Settling.create(faulty, "log/1", "attempt " + writer));
        assertThat(won.stream().filter(each -> each).count())
                .as("winners with seed " + seed)
                .isEqualTo(1);
        assertThat(store.read("log/1")).get().isEqualTo(("attempt " + won.indexOf(true)).getBytes(UTF_8));
    }

    @Test
    void writersOnABadNetworkFillALogWithoutGapOrLoss() {
        ObjectStore faulty = FaultyStore.wrap(store, FaultPlan.seeded(42, 0.2));
        List<List<String>> acknowledged = Together.run(4, writer -> {
            return IntStream.range(0, 5)
                    .mapToObj(each -> Settling.append(faulty, "log/", writer + "-" + each + "-" + UUID.randomUUID()))
                    .toList();
        });
        List<String> keys = store.list("log/", "", 100);
        assertThat(keys).hasSize(20).last().isEqualTo("log/00020");
        assertThat(keys.stream()
                        .map(key -> new String(store.read(key).orElseThrow(), UTF_8))
                        .collect(Collectors.toSet()))
                .isEqualTo(acknowledged.stream().flatMap(List::stream).collect(Collectors.toSet()));
    }
}
