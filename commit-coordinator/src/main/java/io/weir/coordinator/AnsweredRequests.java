package io.weir.coordinator;

import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * The requests with an {@link IdempotencyKey} that were answered for good. Immutable.
 *
 * @param inOrder the keys, oldest first
 */
public record AnsweredRequests(PMap<String, Answered> byKey, PVector<String> inOrder) {
    static final AnsweredRequests NONE = new AnsweredRequests(HashTreePMap.empty(), TreePVector.empty());

    /**
     * One answer.
     *
     * @param version of the lake that the request led to, or that it was refused at
     * @param refusal empty: the request was applied
     */
    public record Answered(IdempotencyKey key, long version, Optional<Refusal> refusal) {}

    /** An answer that is an error, as it was sent. */
    public record Refusal(int status, String type, String message) {}

    public Optional<Answered> find(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** With one more, and without those that need not be known any more at {@code now}. */
    AnsweredRequests plus(Answered answered, Instant now) {
        String key = answered.key().key();
        PMap<String, Answered> kept = byKey.plus(key, answered);
        PVector<String> order = byKey.containsKey(key) ? inOrder : inOrder.plus(key);
        while (kept.get(order.get(0)).key().keptUntil().isBefore(now)) {
            kept = kept.minus(order.get(0));
            order = order.minus(0);
            if (order.isEmpty()) {
                break;
            }
        }
        return new AnsweredRequests(kept, order);
    }
}
