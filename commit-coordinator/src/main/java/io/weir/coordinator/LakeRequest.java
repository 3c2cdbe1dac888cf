package io.weir.coordinator;

import java.util.List;
import java.util.Optional;

/**
 * Actions that are applied together, in their order, or not at all.
 *
 * @param key with it the request is applied at most once, however often it is sent; where it was, nothing happens
 */
public record LakeRequest(Caller caller, List<Action> actions, Optional<IdempotencyKey> key) {
    public LakeRequest {
        actions = List.copyOf(actions);
        if (actions.isEmpty()) {
            throw new IllegalArgumentException("a request has at least one action");
        }
    }

    public LakeRequest(Caller caller, List<Action> actions) {
        this(caller, actions, Optional.empty());
    }

    public static LakeRequest of(Caller caller, Action... actions) {
        return new LakeRequest(caller, List.of(actions));
    }
}
