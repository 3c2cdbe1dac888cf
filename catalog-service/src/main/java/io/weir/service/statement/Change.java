package io.weir.service.statement;

import io.weir.coordinator.Action;
import java.util.List;

/**
 * What a statement wants committed.
 *
 * @param rows how many rows it changes
 * @param files data files written for it, to be deleted should it certainly not be committed
 */
record Change(List<Action> actions, long rows, List<String> files) {
    Change {
        actions = List.copyOf(actions);
        files = List.copyOf(files);
    }

    static Change nothing() {
        return new Change(List.of(), 0, List.of());
    }

    static Change of(Action... actions) {
        return new Change(List.of(actions), 0, List.of());
    }
}
