package io.weir.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Namespace;

/**
 * A writer: each of its requests makes two namespaces, which nobody else does. What it was not told for certain it sends
 * again, to whatever server, under the same key.
 */
final class SimClient {
    private static final Duration PATIENCE = Duration.ofMillis(150);
    private static final Duration RETRIES = Duration.ofMillis(200);
    private static final Duration KEY_KEPT = Duration.ofMillis(600);

    private final SimWorld world;
    private final String name;
    private final Supplier<SimNode> nodes;
    private final List<Sent> sent = new ArrayList<>();

    /** What became of a request, all its attempts taken together. */
    private enum Known {
        APPLIED,
        NOT_APPLIED,
        UNKNOWN
    }

    private static final class Sent {
        private final Namespace one;
        private final Namespace two;
        private Known known = Known.NOT_APPLIED;

        Sent(String id) {
            this.one = Namespace.of(id + "-one");
            this.two = Namespace.of(id + "-two");
        }
    }

    SimClient(SimWorld world, String name, Supplier<SimNode> nodes) {
        this.world = world;
        this.name = name;
        this.nodes = nodes;
        world.schedule.spawn(name, this::write);
    }

    private void write() {
        for (int number = 0; ; number++) {
            Sent request = new Sent(name + "-" + number);
            sent.add(request);
            Instant began = world.schedule.now();
            boolean again = true;
            while (again && world.schedule.now().isBefore(began.plus(RETRIES))) {
                again = attempt(request);
            }
        }
    }

    /** Whether to try again. */
    private boolean attempt(Sent request) {
        world.schedule.step();
        IdempotencyKey key = new IdempotencyKey(
                request.one.toString(), "print", world.schedule.now().plus(KEY_KEPT));
        Optional<CompletableFuture<CommitOutcome>> answer = nodes.get()
                .submit(new LakeRequest(
                        Caller.WEIR,
                        List.of(
                                new Action.CreateNamespace(request.one, Map.of()),
                                new Action.CreateNamespace(request.two, Map.of())),
                        Optional.of(key)));
        if (answer.isEmpty()) {
            return true;
        }
        Known before = request.known;
        request.known = Known.UNKNOWN;
        Instant patientUntil = world.schedule.now().plus(PATIENCE);
        while (!answer.get().isDone()) {
            if (world.schedule.now().isAfter(patientUntil)) {
                return true;
            }
            world.schedule.sleep(3);
        }
        return switch (answer.get().join()) {
            case CommitOutcome.Committed committed -> {
                request.known = Known.APPLIED;
                world.acknowledged(committed.state());
                world.check(
                        committed.state().hasNamespace(request.one)
                                && committed.state().hasNamespace(request.two),
                        name + " is told that " + request.one + " is committed, and it is not there");
                yield false;
            }
            case CommitOutcome.Conflict _, CommitOutcome.Fenced _, CommitOutcome.Overloaded _ -> {
                request.known = before;
                yield true;
            }
            case CommitOutcome.Unknown _ -> true;
            case CommitOutcome.Rejected rejected ->
                throw new AssertionError(name + " made " + request.one + " once, and is told: " + rejected);
        };
    }

    /** What it was told holds in the end. */
    void judge(CatalogState last) {
        for (Sent request : sent) {
            boolean one = last.hasNamespace(request.one);
            world.check(one == last.hasNamespace(request.two), "half of " + request.one + " is there");
            switch (request.known) {
                case APPLIED -> world.check(one, request.one + " was acknowledged and is not there");
                case NOT_APPLIED -> world.check(!one, request.one + " was certainly not applied and is there");
                case UNKNOWN -> {}
            }
        }
    }

    long applied() {
        return sent.stream().filter(request -> request.known == Known.APPLIED).count();
    }
}
