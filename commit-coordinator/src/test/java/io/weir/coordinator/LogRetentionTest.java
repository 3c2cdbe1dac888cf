package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.store.Fault;
import io.weir.store.FaultPlan;
import io.weir.store.FaultyStore;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.iceberg.catalog.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogRetentionTest {
    private static final Duration RETENTION = Duration.ofMinutes(10);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ObjectStore store = ObjectStores.memory();
    private final CommitLog log = new CommitLog(store);
    private final Map<Long, CatalogState> states = new TreeMap<>(Map.of(0L, CatalogState.EMPTY));

    /** An entry each second, a leader each 25th entry, a checkpoint at each hundredth version. */
    private CatalogState lake(int entries) {
        CatalogState state = CatalogState.EMPTY;
        for (long version = 1; version <= entries; version++) {
            boolean leads = version % 25 == 1;
            Change change = leads
                    ? new Change.LeaderChanged("node")
                    : new Change.NamespaceSet(Namespace.of("n" + version), Map.of());
            LogEntry entry = new LogEntry(
                    LogEntry.FORMAT,
                    version,
                    state.epoch() + (leads ? 1 : 0),
                    "attempt " + version,
                    START.plusSeconds(version),
                    List.of(change));
            assertThat(log.append(entry)).isInstanceOf(CommitLog.Appended.Done.class);
            state = state.apply(entry);
            states.put(version, state);
            if (version % 100 == 0) {
                new Checkpoints(store).write(state);
            }
        }
        return state;
    }

    private static LogRetention retention(ObjectStore on) {
        return new LogRetention(new CommitLog(on), new LogStart(on), new Checkpoints(on), RETENTION, 1);
    }

    private static LakeHistory history(ObjectStore on) {
        return new LakeHistory(new CommitLog(on), new LogStart(on), new Checkpoints(on));
    }

    private List<Long> entries(long until) {
        return LongStream.rangeClosed(1, until)
                .filter(version -> store.read(CommitLog.key(version)).isPresent())
                .boxed()
                .toList();
    }

    private static Instant after(long version) {
        return START.plusSeconds(version).plus(RETENTION);
    }

    private void assertWholeFrom(long first, CatalogState newest) {
        CheckpointTest.assertSame(history(store).newest(), newest, "the newest");
        for (long version = first; version <= newest.version().number(); version++) {
            assertThat(history(store).at(new Version(version), Optional.empty()))
                    .as("version " + version)
                    .contains(states.get(version));
        }
    }

    @Test
    void theLogBeginsAtTheNewestCheckpointThatIsOlderThanTheRetention() {
        CatalogState state = lake(450);
        retention(store).run(state, after(399));
        assertThat(new LogStart(store).first()).isEqualTo(300);
        assertWholeFrom(300, state);
        assertThat(history(store).at(new Version(299), Optional.empty())).isEmpty();
        retention(store).run(state, after(400));
        assertThat(new LogStart(store).positions()).containsExactly(400L);
        assertWholeFrom(400, state);
    }

    @Test
    void entriesThatACutOffLeaderCouldMeetNextStayForGood() {
        retention(store).run(lake(450), after(399));
        assertThat(entries(299))
                .containsExactly(
                        1L, 25L, 26L, 50L, 51L, 75L, 76L, 100L, 101L, 125L, 126L, 150L, 151L, 175L, 176L, 200L, 201L,
                        225L, 226L, 250L, 251L, 275L, 276L);
    }

    @Test
    void nothingGoesWhileNoCheckpointIsOldEnoughOrNoneIsWhole() {
        CatalogState state = lake(450);
        retention(store).run(state, after(99));
        assertThat(entries(450)).hasSize(450);
        new Checkpoints(store).list().forEach(name -> store.put(name.key(), new byte[] {1}));
        retention(store).run(state, after(450));
        assertThat(entries(450)).hasSize(450);
        assertThat(history(store).newest()).isEqualTo(state);
    }

    @Test
    void aDamagedCheckpointIsNoStartForTheLog() {
        CatalogState state = lake(450);
        CheckpointName third = new Checkpoints(store).list().get(2);
        store.put(third.key(), new byte[] {1});
        retention(store).run(state, after(399));
        assertThat(new LogStart(store).first()).isEqualTo(200);
        assertWholeFrom(200, state);
    }

    @Test
    void whatAnAnswerToARepeatedRequestNeedsStays() {
        CatalogState state = lake(450);
        Instant now = after(450);
        CatalogState answered = state.withAnswered(AnsweredRequests.NONE.plus(
                new AnsweredRequests.Answered(
                        new IdempotencyKey("key", "print", now.plusSeconds(1)), 300, Optional.empty()),
                now));
        retention(store).run(answered, now);
        assertThat(new LogStart(store).first()).isEqualTo(200);
        assertThat(history(store).at(new Version(299), Optional.empty())).isPresent();
        retention(store).run(answered, now.plusSeconds(2));
        assertThat(new LogStart(store).first()).isEqualTo(400);
    }

    @Test
    void checkpointsCloserTogetherThanNeedBeGoButNeverTheNewestOrTheFirst() {
        lake(2_000);
        List<CheckpointName> names = new Checkpoints(store).list();
        assertThat(LogRetention.superfluous(names, 300, Duration.ofSeconds(350)))
                .extracting(CheckpointName::version)
                .containsExactly(
                        100L, 200L, 400L, 500L, 600L, 800L, 900L, 1000L, 1200L, 1300L, 1400L, 1600L, 1700L, 1800L);
    }

    /** Each store operation of a run is where the process ends, in each way it can; then another process runs. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"ANSWER_LOST", "REFUSED", "REQUEST_LOST"})
    void aRunThatEndsAnywhereIsFinishedByTheNext(Fault fault) {
        CatalogState state = lake(250);
        int operations = 0;
        boolean ended = false;
        while (!ended) {
            LogRetentionTest again = new LogRetentionTest();
            CatalogState same = again.lake(250);
            AtomicInteger left = new AtomicInteger(operations);
            FaultPlan plan = (_, _) -> left.getAndDecrement() > 0 ? Fault.NONE : fault;
            try {
                retention(FaultyStore.wrap(again.store, plan)).run(same, after(200));
                ended = true;
            } catch (StoreException stopped) {
                again.assertWholeFrom(200, same);
            }
            retention(again.store).run(same, after(200));
            again.assertWholeFrom(200, same);
            assertThat(again.entries(199))
                    .as("after %s operations", operations)
                    .containsExactly(1L, 25L, 26L, 50L, 51L, 75L, 76L, 100L, 101L, 125L, 126L, 150L, 151L, 175L, 176L);
            assertThat(new LogStart(again.store).positions()).containsExactly(200L);
            operations += operations < 12 ? 1 : 17;
        }
        assertThat(operations).isGreaterThan(180);
        assertThat(state).isEqualTo(again(250).states.get(250L));
    }

    private static LogRetentionTest again(int entries) {
        LogRetentionTest other = new LogRetentionTest();
        other.lake(entries);
        return other;
    }

    @Test
    void aReaderThatWasOvertakenByTheRetentionReadsOnFromACheckpoint() {
        CatalogState state = lake(450);
        retention(store).run(state, after(399));
        CheckpointTest.assertSame(history(store).catchUp(states.get(110L)), state, "from far behind");
        CheckpointTest.assertSame(history(store).catchUp(states.get(299L)), state, "from just before the start");
        CheckpointTest.assertSame(history(store).catchUp(states.get(300L)), state, "from the start");
    }

    @Test
    void aLeaderThatWasCutOffLongAgoMeetsTheEntryThatCutItOff() {
        CatalogState state = lake(450);
        retention(store).run(state, after(399));
        CatalogState old = states.get(200L);
        LogEntry late = entry(201, old.epoch(), new Change.NamespaceSet(Namespace.of("late"), Map.of()));
        assertThat(log.append(late))
                .isInstanceOfSatisfying(
                        CommitLog.Appended.Taken.class,
                        taken -> assertThat(taken.by().epoch()).isGreaterThan(old.epoch()));
        LogEntry unsettled = entry(200, old.epoch(), new Change.NamespaceSet(Namespace.of("late"), Map.of()));
        assertThat(log.append(unsettled)).isInstanceOf(CommitLog.Appended.Taken.class);
        assertThat(history(store).catchUp(states.get(199L))).isEqualTo(state);
    }

    /** It read the log, slept, and woke when the entries behind what it had read were gone. */
    @Test
    void aServerThatSleptWhileItTookOverDoesNotTakeAForgottenNumberForItsOwn() {
        CatalogState state = lake(450);
        List<CatalogState> newest = new ArrayList<>(List.of(states.get(110L)));
        LogStart start = new LogStart(store);
        LakeHistory sleepy = new LakeHistory(log, start, new Checkpoints(store)) {
            @Override
            CatalogState newest() {
                return newest.isEmpty() ? super.newest() : newest.removeFirst();
            }
        };
        retention(store).run(state, after(399));
        assertThat(store.read(CommitLog.key(111))).isEmpty();
        CatalogState led = new Leader(log, start, sleepy, Clock.fixed(after(450), ZoneOffset.UTC)).take("lake", "late");
        assertThat(led.version().number()).isEqualTo(451);
        assertThat(led.epoch()).isEqualTo(state.epoch() + 1);
        CheckpointTest.assertSame(history(store).newest(), led, "what others read");
    }

    @Test
    void aLakeWhoseCheckpointsAreGoneSaysSoAndWhatToDo() {
        CatalogState state = lake(450);
        retention(store).run(state, after(399));
        new Checkpoints(store).list().forEach(name -> store.delete(name.key()));
        assertThatThrownBy(() -> history(store).newest())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("begins at entry 300")
                .hasMessageContaining("Bring back an object of _weir/checkpoint/");
    }

    private static LogEntry entry(long version, long epoch, Change change) {
        return new LogEntry(LogEntry.FORMAT, version, epoch, "late " + version, START, List.of(change));
    }
}
