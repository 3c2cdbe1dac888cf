package io.weir.coordinator;

import io.weir.coordinator.CommitLog.Appended;
import io.weir.coordinator.CommitMeter.Step;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a lake's commits in order. One thread prepares groups: everything that waits goes together. While one group is
 * being written the next is prepared on the state it will leave; nobody is answered before the entry is in the log.
 *
 * <p>When an append fails, what was prepared on top of it is prepared again on what the log then holds. A leader of a
 * higher epoch in the log ends this one: every further request is answered {@link CommitOutcome.Fenced}.
 */
final class Coordinator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    private static final int GROUP_AT_MOST = 512;

    /** A lake that takes in no more has answered thousands by then. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final CommitGroup group;
    private final CommitLog log;
    private final LakeHistory history;
    private final TableMetadataFiles metadataFiles;
    private final long epoch;
    private final Clock clock;
    private final Consumer<CatalogState> published;
    private final CommitQueue<Waiting> queue = new CommitQueue<>();
    private final CommitLimits limits;
    private final CommitMeter meter;
    private final ExecutorService writer;
    private final Thread thread;
    private volatile boolean closing;
    private volatile String fencedBecause;
    private CatalogState durable;
    private InFlight inFlight;

    /** @param queued in the JVM's nanoseconds */
    private record Waiting(PreparedRequest request, CompletableFuture<CommitOutcome> answer, long queued) {}

    /** What became of a group's entry, and the state the log then holds. */
    private record Written(Appended outcome, CatalogState state) {}

    /** @param ended when {@code result} is there, or as good as there */
    private record InFlight(
            CommitGroup.Prepared group, List<Waiting> requests, AtomicBoolean ended, Future<Written> result) {}

    /** @param writer of one thread, on which files and entries are written; closed with this */
    Coordinator(
            CatalogState state,
            long epoch,
            CommitGroup group,
            CommitLog log,
            LakeHistory history,
            TableMetadataFiles metadataFiles,
            Clock clock,
            Consumer<CatalogState> published,
            ExecutorService writer,
            CommitLimits limits,
            CommitMeter meter) {
        this.durable = state;
        this.epoch = epoch;
        this.group = group;
        this.log = log;
        this.history = history;
        this.metadataFiles = metadataFiles;
        this.clock = clock;
        this.published = published;
        this.writer = writer;
        this.limits = limits;
        this.meter = meter;
        this.thread = Thread.ofPlatform().name("weir-coordinator").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Applies the request and returns when its outcome is certain. */
    CommitOutcome commit(PreparedRequest request) {
        CompletableFuture<CommitOutcome> answer = submit(request);
        if (!thread.isAlive()) {
            drain("the server is shutting down");
        }
        return answer.join();
    }

    /** Queues the request. */
    CompletableFuture<CommitOutcome> submit(PreparedRequest request) {
        if (fencedBecause != null) {
            return CompletableFuture.completedFuture(new CommitOutcome.Fenced(fencedBecause));
        }
        CompletableFuture<CommitOutcome> answer = new CompletableFuture<>();
        if (closing) {
            answer.complete(new CommitOutcome.Fenced("the server is shutting down"));
        } else {
            queue.add(request.lane(), new Waiting(request, answer, System.nanoTime()));
        }
        return answer;
    }

    private void run() {
        while (inFlight != null || !closing || !queue.isEmpty()) {
            step(Duration.ofMillis(200));
        }
        writer.shutdown();
        drain("the server is shutting down");
    }

    /**
     * Takes what waits and prepares it, settles the group before it, and starts to write. What {@link #run} does over and
     * over; a test may do it instead, one step at a time.
     *
     * @param patience how long to wait for a request, or for a group to settle
     */
    void step(Duration patience) {
        InFlight writing = inFlight;
        List<Waiting> requests = take(patience, () -> writing != null && writing.ended.get());
        if (requests.isEmpty()) {
            if (inFlight != null && inFlight.ended.get()) {
                InFlight before = inFlight;
                inFlight = null;
                settle(before);
            }
            return;
        }
        CatalogState base = inFlight == null ? durable : durable.apply(inFlight.group.entry());
        CommitGroup.Prepared prepared = prepare(base, requests);
        if (inFlight != null && !settle(inFlight)) {
            discard(prepared);
            prepared = prepare(durable, requests);
        }
        inFlight = prepared == null ? null : write(prepared, requests);
    }

    /** Waits for a request, or until there is a group to settle. */
    private List<Waiting> take(Duration patience, BooleanSupplier elsewhere) {
        try {
            List<Waiting> requests = new ArrayList<>(queue.take(GROUP_AT_MOST, patience, elsewhere));
            requests.removeIf(this::isTooLate);
            requests.forEach(request -> meter.step(Step.QUEUE, since(request.queued)));
            return requests;
        } catch (InterruptedException e) {
            closing = true;
            return List.of();
        }
    }

    /** Nobody may be waiting for it any more; and who waits knows that it was not applied. */
    private boolean isTooLate(Waiting request) {
        Duration waited = Duration.between(request.request.receivedAt(), clock.instant());
        boolean late = waited.compareTo(limits.patience()) > 0;
        if (late) {
            request.answer.complete(new CommitOutcome.Overloaded(
                    "the commit waited for " + waited.toSeconds()
                            + " s without being looked at: the lake is overloaded",
                    RETRY_AFTER));
        }
        return late;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Null when preparing failed for a reason of our own: the requests are answered, none was applied. */
    private CommitGroup.Prepared prepare(CatalogState base, List<Waiting> requests) {
        if (fencedBecause != null) {
            answerAll(requests, new CommitOutcome.Fenced(fencedBecause));
            return null;
        }
        try {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            Instant at = now.isBefore(base.committedAt()) ? base.committedAt() : now;
            return group.prepare(
                    base, epoch, at, requests.stream().map(Waiting::request).toList());
        } catch (RuntimeException | Error e) {
            LOG.error("a commit group of {} requests can not be prepared", requests.size(), e);
            answerAll(requests, new CommitOutcome.Fenced("the commit could not be prepared: " + e));
            return null;
        }
    }

    private static void discard(CommitGroup.Prepared prepared) {
        if (prepared != null) {
            prepared.batch().discard();
        }
    }

    /** Starts writing; a group with nothing to write is answered at once: what it was prepared on is durable by now. */
    private InFlight write(CommitGroup.Prepared prepared, List<Waiting> requests) {
        if (prepared.isEmpty()) {
            answer(prepared, requests, new CommitOutcome.Committed(durable));
            return null;
        }
        CatalogState base = durable;
        AtomicBoolean ended = new AtomicBoolean();
        return new InFlight(prepared, requests, ended, writer.submit(() -> {
            try {
                return append(prepared, base);
            } finally {
                ended.set(true);
                queue.wake();
            }
        }));
    }

    private Written append(CommitGroup.Prepared prepared, CatalogState base) {
        long start = System.nanoTime();
        try {
            prepared.batch().write();
            meter.step(Step.WRITE, since(start));
        } catch (RuntimeException e) {
            LOG.warn("files of version {} can not be written", prepared.entry().version(), e);
            return new Written(new Appended.Failed("its files can not be written: " + e.getMessage()), base);
        }
        long written = System.nanoTime();
        Appended outcome = log.append(prepared.entry());
        meter.step(Step.LOG, since(written));
        return switch (outcome) {
            case Appended.Done _ -> new Written(outcome, base.apply(prepared.entry()));
            case Appended.Taken _, Appended.Unsettled _ -> new Written(outcome, caughtUp(base));
            case Appended.Failed _ -> new Written(outcome, base);
        };
    }

    private CatalogState caughtUp(CatalogState base) {
        try {
            return history.catchUp(base);
        } catch (RuntimeException e) {
            LOG.warn("the log can not be read beyond version {}: {}", base.version(), e.getMessage());
            return base;
        }
    }

    /** Waits for the group's entry and answers its requests; false where the state is not what the group would leave. */
    private boolean settle(InFlight inFlight) {
        Written written;
        try {
            written = inFlight.result.get();
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            LOG.error(
                    "writing version {} ended without an outcome",
                    inFlight.group.entry().version(),
                    e);
            written = new Written(new Appended.Unsettled(String.valueOf(e)), durable);
        }
        return switch (written.outcome) {
            case Appended.Done _ -> {
                inFlight.group.metadata().forEach(metadataFiles::keep);
                inFlight.group.batch().discard();
                publish(written.state);
                answer(inFlight.group, inFlight.requests, new CommitOutcome.Committed(written.state));
                yield true;
            }
            case Appended.Taken taken -> {
                publish(written.state);
                discard(inFlight.group);
                yield again(inFlight, "version " + taken.by().version() + " was written by another server");
            }
            case Appended.Failed failed -> {
                discard(inFlight.group);
                answerAll(
                        inFlight.requests,
                        new CommitOutcome.Fenced("the commit could not be written: " + failed.why()));
                yield false;
            }
            case Appended.Unsettled unsettled -> {
                publish(written.state);
                inFlight.group.batch().discard();
                answerAll(
                        inFlight.requests,
                        new CommitOutcome.Unknown("the commit was sent, its outcome is not known: " + unsettled.why()));
                yield false;
            }
        };
    }

    /** The version went to another server's entry: the requests were not applied and are queued once more. */
    private boolean again(InFlight inFlight, String why) {
        if (fencedBecause != null) {
            answerAll(inFlight.requests, new CommitOutcome.Fenced(fencedBecause));
            return false;
        }
        LOG.warn("{}: {} requests are prepared again", why, inFlight.requests.size());
        inFlight.requests.forEach(request -> queue.add(request.request.lane(), request));
        return false;
    }

    /** However a state was come by: once one of a later leader is seen, nothing may be written on it. */
    private void publish(CatalogState state) {
        durable = state;
        if (state.epoch() > epoch && fencedBecause == null) {
            fencedBecause = "another server leads the lake: version " + state.version() + " has epoch " + state.epoch()
                    + ", this one's is " + epoch;
            LOG.warn("{}", fencedBecause);
        }
        published.accept(state);
    }

    private static void answer(CommitGroup.Prepared prepared, List<Waiting> requests, CommitOutcome committed) {
        Map<Integer, CommitOutcome> refused = new HashMap<>(prepared.refused());
        for (int i = 0; i < requests.size(); i++) {
            requests.get(i).answer.complete(refused.getOrDefault(i, committed));
        }
    }

    private static void answerAll(List<Waiting> requests, CommitOutcome outcome) {
        requests.forEach(request -> request.answer.complete(outcome));
    }

    private void drain(String why) {
        answerAll(queue.drain(), new CommitOutcome.Fenced(why));
    }

    /** Takes no more requests, finishes those that wait, and returns. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
