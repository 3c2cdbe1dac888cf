package io.weir.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.CreateOutcome;
import io.weir.store.Fault;
import io.weir.store.FaultPlan;
import io.weir.store.FaultPlan.Operation;
import io.weir.store.FaultyStore;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.ProofResult.Finding;
import io.weir.store.ProofResult.Inconclusive;
import io.weir.store.ProofResult.Proven;
import io.weir.store.ProofResult.Refuted;
import io.weir.store.StoreProof;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The proof lets safe stores through and names what an unsafe one does. */
class StoreProofTest {
    /** A store that breaks one promise, as stores in the field do. */
    private static class Broken implements ObjectStore {
        final ObjectStore sound = ObjectStores.memory();

        @Override
        public Optional<byte[]> read(String key) {
            return sound.read(key);
        }

        @Override
        public CreateOutcome createIfAbsent(String key, byte[] bytes) {
            return sound.createIfAbsent(key, bytes);
        }

        @Override
        public void put(String key, byte[] bytes) {
            sound.put(key, bytes);
        }

        @Override
        public List<String> list(String prefix, String startAfter, int limit) {
            return sound.list(prefix, startAfter, limit);
        }

        @Override
        public void delete(String key) {
            sound.delete(key);
        }

        @Override
        public Instant clock() {
            return sound.clock();
        }

        @Override
        public String root() {
            return sound.root();
        }

        @Override
        public void close() {
            sound.close();
        }
    }

    private static void assertRefuted(String promise, ObjectStore store) {
        assertThat(StoreProof.quick(store))
                .isInstanceOfSatisfying(
                        Refuted.class,
                        refuted -> assertThat(refuted.findings())
                                .extracting(Finding::promise)
                                .contains(promise));
        assertThat(store.list("", "", 10)).isEmpty();
    }

    @Test
    void aStoreThatIgnoresTheConditionIsRefuted() {
        assertRefuted("create-if-absent", new Broken() {
            @Override
            public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                sound.put(key, bytes);
                return new CreateOutcome.Created();
            }
        });
    }

    @Test
    void aStoreThatChecksAndThenWritesIsRefuted() {
        assertRefuted("create-if-absent", new Broken() {
            @Override
            public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                boolean absent = sound.read(key).isEmpty();
                pause();
                if (!absent) {
                    return new CreateOutcome.AlreadyExists();
                }
                sound.put(key, bytes);
                return new CreateOutcome.Created();
            }
        });
    }

    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStoreThatTellsTheWrongWriterIsRefuted() {
        assertRefuted("create-if-absent", new Broken() {
            private final AtomicInteger calls = new AtomicInteger();

            @Override
            public CreateOutcome createIfAbsent(String key, byte[] bytes) {
                CreateOutcome outcome = sound.createIfAbsent(key, bytes);
                int call = calls.incrementAndGet();
                if (outcome instanceof CreateOutcome.Created) {
                    return new CreateOutcome.AlreadyExists();
                }
                return call == 2 ? new CreateOutcome.Created() : outcome;
            }
        });
    }

    @Test
    void aStoreWhoseListingsLagIsRefuted() {
        assertRefuted("list-after-write", new Broken() {
            private int lists;

            @Override
            public List<String> list(String prefix, String startAfter, int limit) {
                return lists++ == 0 ? List.of() : sound.list(prefix, startAfter, limit);
            }
        });
    }

    @Test
    void aStoreWhoseReadsAreStaleIsRefuted() {
        assertRefuted("read-after-write", new Broken() {
            private Optional<byte[]> first = Optional.empty();

            @Override
            public Optional<byte[]> read(String key) {
                if (first.isEmpty()) {
                    first = sound.read(key);
                }
                return sound.read(key).isPresent() ? first : Optional.empty();
            }
        });
    }

    @Test
    void aStoreThatKeepsWhatWasDeletedIsRefuted() {
        assertThat(StoreProof.quick(new Broken() {
                    @Override
                    public void delete(String key) {}
                }))
                .isInstanceOf(Refuted.class);
    }

    @Test
    void aStoreThatRefusesToWriteIsInconclusiveAndSaysWhy() {
        ObjectStore store = FaultyStore.wrap(
                ObjectStores.memory(), FaultPlan.script(Operation.CREATE, Fault.NONE, Fault.NONE, Fault.REFUSED));
        assertThat(StoreProof.quick(store))
                .isInstanceOfSatisfying(
                        Inconclusive.class, result -> assertThat(result.cause()).hasMessageContaining("refused"));
    }

    @Test
    void theThoroughProofRacesTwentyWritersInTwentyRounds() {
        assertThat(StoreProof.thorough(ObjectStores.memory())).isInstanceOfSatisfying(Proven.class, proven -> {
            assertThat(proven.rounds()).isEqualTo(20);
            assertThat(proven.writers()).isEqualTo(20);
            assertThat(proven.latencies()).isNotEmpty();
        });
    }
}
