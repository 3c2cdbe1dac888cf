package io.weir.store;

import io.weir.store.CreateOutcome.AlreadyExists;
import io.weir.store.CreateOutcome.Created;
import io.weir.store.CreateOutcome.Failed;
import io.weir.store.CreateOutcome.Unknown;
import io.weir.store.ProofResult.Finding;
import io.weir.store.ProofResult.Inconclusive;
import io.weir.store.ProofResult.Proven;
import io.weir.store.ProofResult.Refuted;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries on the store itself whether it keeps the promises a lake rests on: of many writers of one new key exactly one
 * is let in, what was written is read and listed at once, what was deleted is gone. Works below
 * {@code _weir/proof/} under names of its own and removes them again.
 *
 * <p>It can show that a store is not safe, and that it was safe under this load; a race too rare for its rounds escapes
 * it. A store whose answers get lost is not thereby refuted: an unknown outcome counts as either.
 */
public final class StoreProof {
    private static final Logger LOG = LoggerFactory.getLogger(StoreProof.class);
    private static final int LIST_LIMIT = 10;

    private final ObjectStore store;
    private final int rounds;
    private final int writers;
    private final String folder = "_weir/proof/" + UUID.randomUUID() + "-";
    private final LatencyLog latencies = new LatencyLog();
    private final List<Finding> findings = new ArrayList<>();

    private StoreProof(ObjectStore store, int rounds, int writers) {
        this.store = store;
        this.rounds = rounds;
        this.writers = writers;
    }

    /** A few rounds, for the start of a server. */
    public static ProofResult quick(ObjectStore store) {
        return new StoreProof(store, 3, 8).run();
    }

    /** Many rounds with twenty writers each, for an operator who wants to know. */
    public static ProofResult thorough(ObjectStore store) {
        return new StoreProof(store, 20, 20).run();
    }

    private ProofResult run() {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Duration skew = clockSkew();
            for (int round = 1; round <= rounds; round++) {
                String key = folder + round;
                try {
                    race(key, threads);
                } finally {
                    cleanUp(key);
                }
            }
            return findings.isEmpty() ? new Proven(rounds, writers, latencies.summary(), skew) : new Refuted(findings);
        } catch (StoreException e) {
            return findings.isEmpty() ? new Inconclusive(e) : new Refuted(findings);
        }
    }

    private Duration clockSkew() {
        Instant before = Clock.systemUTC().instant();
        Instant there = store.clock();
        Duration half = Duration.between(before, Clock.systemUTC().instant()).dividedBy(2);
        return Duration.between(before.plus(half), there);
    }

    private void race(String key, ExecutorService threads) {
        List<CreateOutcome> outcomes = createTogether(key, threads);
        judgeWinner(key, outcomes);
        judgeLateComer(key);
        judgeListing(key);
        judgeReplacement(key);
        judgeDeletion(key);
    }

    private List<CreateOutcome> createTogether(String key, ExecutorService threads) {
        CountDownLatch start = new CountDownLatch(writers);
        List<Future<CreateOutcome>> attempts = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            byte[] bytes = body(writer);
            attempts.add(threads.submit(() -> {
                start.countDown();
                start.await();
                return latencies.timed("create", () -> store.createIfAbsent(key, bytes));
            }));
        }
        List<CreateOutcome> outcomes = new ArrayList<>();
        for (Future<CreateOutcome> attempt : attempts) {
            outcomes.add(outcome(key, attempt));
        }
        return outcomes;
    }

    private static CreateOutcome outcome(String key, Future<CreateOutcome> attempt) {
        try {
            return attempt.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.failed(
                    StoreException.IO_ERROR, "the proof of the store was interrupted", "run it again", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("creating " + key + " threw instead of answering", e.getCause());
        }
    }

    private void judgeWinner(String key, List<CreateOutcome> outcomes) {
        List<Integer> created = new ArrayList<>();
        List<Integer> unknown = new ArrayList<>();
        for (int writer = 0; writer < outcomes.size(); writer++) {
            switch (outcomes.get(writer)) {
                case Created ignored -> created.add(writer);
                case Unknown ignored -> unknown.add(writer);
                case AlreadyExists ignored -> {}
                case Failed failed -> throw failed.cause();
            }
        }
        if (created.size() > 1) {
            found(
                    "create-if-absent",
                    created.size() + " of " + writers + " concurrent writers of " + key
                            + " were each told that they created it");
            return;
        }
        Optional<byte[]> bytes = latencies.timed("read", () -> store.read(key));
        List<Integer> possible = created.isEmpty() ? unknown : created;
        if (bytes.isEmpty()) {
            found("read-after-write", key + " was created and cannot be read");
        } else if (possible.stream().noneMatch(writer -> Arrays.equals(body(writer), bytes.get()))) {
            found("create-if-absent", key + " holds the bytes of a writer that was told it exists already");
        }
    }

    private void judgeLateComer(String key) {
        CreateOutcome late = latencies.timed("create", () -> store.createIfAbsent(key, body(writers)));
        switch (late) {
            case Created ignored -> found("create-if-absent", key + " existed and was created over");
            case AlreadyExists ignored -> {}
            case Unknown unknown -> LOG.info("no answer to creating {} a second time", key, unknown.cause());
            case Failed failed -> throw failed.cause();
        }
    }

    private void judgeListing(String key) {
        if (!latencies.timed("list", () -> store.list(key, "", LIST_LIMIT)).contains(key)) {
            found("list-after-write", key + " was created and is not listed");
        }
    }

    private void judgeReplacement(String key) {
        byte[] bytes = body(writers + 1);
        latencies.timed("put", () -> {
            store.put(key, bytes);
            return key;
        });
        Optional<byte[]> read = latencies.timed("read", () -> store.read(key));
        if (read.isEmpty() || !Arrays.equals(bytes, read.get())) {
            found("read-after-write", key + " was replaced and reads as before");
        }
    }

    private void judgeDeletion(String key) {
        latencies.timed("delete", () -> {
            store.delete(key);
            return key;
        });
        if (store.read(key).isPresent() || store.list(key, "", LIST_LIMIT).contains(key)) {
            found("delete", key + " was deleted and is still read or listed");
        }
    }

    /** What a broken round left behind; a sound one deleted its key itself. */
    private void cleanUp(String key) {
        try {
            store.delete(key);
        } catch (StoreException e) {
            LOG.warn("the proof could not remove {} ({}); it is harmless and can be deleted", key, e.getMessage());
        }
    }

    private void found(String promise, String seen) {
        findings.add(new Finding(promise, seen));
    }

    private static byte[] body(int writer) {
        return ("writer " + writer).getBytes(StandardCharsets.UTF_8);
    }
}
