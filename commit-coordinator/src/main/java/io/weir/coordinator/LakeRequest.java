package io.weir.coordinator;

import java.util.List;

/** Actions that are applied together, in their order, or not at all. */
public record LakeRequest(Caller caller, List<Action> actions) {
    public LakeRequest {
        actions = List.copyOf(actions);
        if (actions.isEmpty()) {
            throw new IllegalArgumentException("a request has at least one action");
        }
    }

    public static LakeRequest of(Caller caller, Action... actions) {
        return new LakeRequest(caller, List.of(actions));
    }
}
