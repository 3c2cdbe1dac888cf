package io.weir.store;

import java.time.Duration;
import java.util.List;

/** What {@link StoreProof} found out about a store. */
public sealed interface ProofResult {
    /**
     * The store kept every promise in every round.
     *
     * @param clockSkew the store's clock less this machine's, to about a second
     */
    record Proven(int rounds, int writers, List<Latency> latencies, Duration clockSkew) implements ProofResult {
        public Proven {
            latencies = List.copyOf(latencies);
        }
    }

    /** The store broke a promise: a lake on it could lose commits. */
    record Refuted(List<Finding> findings) implements ProofResult {
        public Refuted {
            findings = List.copyOf(findings);
        }
    }

    /** An operation failed before the proof was through, so that nothing is known. */
    record Inconclusive(StoreException cause) implements ProofResult {}

    /**
     * One broken promise.
     *
     * @param promise its name: create-if-absent, read-after-write, list-after-write, delete
     * @param seen what the store did instead
     */
    record Finding(String promise, String seen) {}

    /** How long an operation took, over all rounds. */
    record Latency(String operation, int count, Duration median, Duration p99, Duration max) {}
}
