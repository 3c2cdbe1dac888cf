package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lake whose store stands still takes in so many commits and refuses the others, and all it took in are applied. */
@Timeout(60)
class OverloadTest {
    private static final Caller TEST = new Caller("test", "junit");
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));

    private final InMemoryFileIO files = new InMemoryFileIO();
    private final HaltingStore store = new HaltingStore(ObjectStores.memory());
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final Waiting waiting = new Waiting();
    private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
    private Lake lake;

    @AfterEach
    void close() {
        store.goOn();
        writers.close();
        lake.close();
    }

    private void open(CommitLimits limits) {
        Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
        lake = Lake.open(
                new LakeOptions("test", "node", clock, LogPolicy.DEFAULT)
                        .withLimits(limits)
                        .withMeter(waiting),
                store,
                files,
                Derivation.none());
    }

    private OutsideWriter table(String table) {
        TableIdentifier name = TableIdentifier.of("default", table);
        lake.commit(LakeRequest.of(
                TEST,
                new Action.CreateTable(
                        name,
                        TableMetadata.newTableMetadata(
                                SCHEMA, PartitionSpec.unpartitioned(), lake.newLocation(name), Map.of()))));
        return new OutsideWriter(lake, name, files);
    }

    private Future<CommitOutcome> send(Action action) {
        return writers.submit(() -> lake.commit(LakeRequest.of(TEST, action)));
    }

    /** Sends appends until so many are under way or refused. */
    private List<Future<CommitOutcome>> flood(OutsideWriter writer, int count) throws Exception {
        List<Future<CommitOutcome>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Action append = writer.append();
            int before = waiting.commits.get();
            Future<CommitOutcome> answer = send(append);
            while (waiting.commits.get() == before && !answer.isDone()) {
                Thread.sleep(1);
            }
            sent.add(answer);
        }
        return sent;
    }

    private static long count(List<Future<CommitOutcome>> answers, Class<?> kind) throws Exception {
        long count = 0;
        for (Future<CommitOutcome> answer : answers) {
            count += kind.isInstance(answer.get()) ? 1 : 0;
        }
        return count;
    }

    private int manifests(String table) {
        List<ManifestFile> manifests = lake.metadata(
                        lake.state().table(TableIdentifier.of("default", table)).orElseThrow())
                .currentSnapshot()
                .allManifests(files);
        return manifests.size();
    }

    @Test
    void aFloodToOneTableIsRefusedInTimeAndTheOtherTablesAreNot() throws Exception {
        open(new CommitLimits(20, 1 << 30, Duration.ofMinutes(1)));
        OutsideWriter flooded = table("flooded");
        OutsideWriter calm = table("calm");
        store.halt();
        List<Future<CommitOutcome>> flood = flood(flooded, 60);
        assertThat(waiting.commits.get()).isEqualTo(10);
        List<Future<CommitOutcome>> others = flood(calm, 3);
        assertThat(waiting.commits.get()).isEqualTo(13);
        store.goOn();
        assertThat(count(flood, CommitOutcome.Committed.class)).isEqualTo(10);
        assertThat(count(flood, CommitOutcome.Overloaded.class)).isEqualTo(50);
        assertThat(count(others, CommitOutcome.Committed.class)).isEqualTo(3);
        assertThat(manifests("flooded")).isEqualTo(10);
        assertThat(manifests("calm")).isEqualTo(3);
        assertThat(waiting.commits.get()).isZero();
        assertThat(waiting.bytes.get()).isZero();
    }

    @Test
    void whatIsRefusedIsNotAppliedAndGoesThroughWhenItIsSentAgain() throws Exception {
        open(new CommitLimits(2, 1 << 30, Duration.ofMinutes(1)));
        OutsideWriter writer = table("t");
        store.halt();
        List<Future<CommitOutcome>> first = flood(writer, 1);
        Action refused = writer.append();
        CommitOutcome outcome = lake.commit(LakeRequest.of(TEST, refused));
        assertThat(outcome).isInstanceOfSatisfying(CommitOutcome.Overloaded.class, overloaded -> {
            assertThat(overloaded.retryAfter()).isPositive();
            assertThat(overloaded.message()).contains("takes in no more").contains("Nothing was applied");
        });
        store.goOn();
        assertThat(count(first, CommitOutcome.Committed.class)).isEqualTo(1);
        assertThat(manifests("t")).isEqualTo(1);
        assertThat(lake.commit(LakeRequest.of(TEST, refused))).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(manifests("t")).isEqualTo(2);
    }

    @Test
    void commitsThatTogetherTakeTooMuchMemoryAreRefusedAndALargeOneAloneIsNot() throws Exception {
        open(new CommitLimits(1_000, 20_000, Duration.ofMinutes(1)));
        OutsideWriter writer = table("t");
        var large = writer.table().newFastAppend();
        for (int i = 0; i < 100; i++) {
            large.appendFile(writer.file());
        }
        large.commit();
        store.halt();
        List<Future<CommitOutcome>> alone = List.of(send(writer.last()));
        while (waiting.bytes.get() < 100_000) {
            Thread.sleep(1);
        }
        List<Future<CommitOutcome>> others = flood(writer, 5);
        assertThat(count(others, CommitOutcome.Overloaded.class)).isEqualTo(5);
        store.goOn();
        assertThat(count(alone, CommitOutcome.Committed.class)).isEqualTo(1);
        assertThat(waiting.bytes.get()).isZero();
        assertThat(lake.commit(LakeRequest.of(TEST, writer.append()))).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void aCommitNobodyGotToInTimeIsRefused() throws Exception {
        open(new CommitLimits(100, 1 << 30, Duration.ofSeconds(30)));
        OutsideWriter writer = table("t");
        store.halt();
        List<Future<CommitOutcome>> underWay = flood(writer, 1);
        store.reached.acquire();
        waiting.groups.drainPermits();
        // The next group is prepared and waits for the one before it; what comes then is not looked at.
        List<Future<CommitOutcome>> next = flood(writer, 1);
        waiting.groups.acquire();
        List<Future<CommitOutcome>> late = flood(writer, 3);
        now.updateAndGet(before -> before.plusSeconds(31));
        store.goOn();
        assertThat(count(underWay, CommitOutcome.Committed.class)).isEqualTo(1);
        assertThat(count(next, CommitOutcome.Committed.class)).isEqualTo(1);
        assertThat(count(late, CommitOutcome.Overloaded.class)).isEqualTo(3);
        assertThat(manifests("t")).isEqualTo(2);
    }

    private static final class Waiting implements CommitMeter {
        private final Semaphore groups = new Semaphore(0);
        private final AtomicInteger commits = new AtomicInteger();
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public void step(Step step, Duration time) {}

        @Override
        public void group(int requests, int rebased) {
            groups.release();
        }

        @Override
        public void ended(CommitOutcome outcome, Duration time) {}

        @Override
        public void waiting(int nowCommits, long nowBytes) {
            commits.set(nowCommits);
            bytes.set(nowBytes);
        }
    }

    /** Makes no entry while it is halted. */
    private static final class HaltingStore extends ForwardingStore {
        private final Semaphore reached = new Semaphore(0);
        private final Semaphore open = new Semaphore(Integer.MAX_VALUE / 2);

        HaltingStore(ObjectStore store) {
            super(store);
        }

        void halt() {
            reached.drainPermits();
            open.drainPermits();
        }

        void goOn() {
            open.drainPermits();
            open.release(Integer.MAX_VALUE / 2);
        }

        @Override
        public CreateOutcome createIfAbsent(String key, byte[] bytes) {
            reached.release();
            open.acquireUninterruptibly();
            return super.createIfAbsent(key, bytes);
        }
    }
}
