package io.weir.incremental.view;

import java.util.List;
import java.util.Optional;

/**
 * The rows of what it reads with equal keys (NULL equal to NULL) give one row of the view or none.
 *
 * <p>Built in layers, each reading only the one below: {@code keys} and the measures' arguments over its
 * columns; {@code aggregates} over {@code n} (rows of the group) and {@code m0, m1, …}; {@code having} and
 * {@code outputs} over the keys {@code k0, k1, …} and the aggregates {@code a0, a1, …}.
 *
 * <p>Without keys there is exactly one group, also when the source is empty. {@code byKey} says that some measure
 * cannot be taken back, so that a touched group is worked out again from the source and nothing but its keys is kept.
 */
public record GroupStage(
        From from,
        Optional<String> where,
        List<Key> keys,
        List<Measure> measures,
        List<String> aggregates,
        Optional<String> having,
        List<String> outputs,
        boolean byKey,
        Stored stored)
        implements Stage {
    public GroupStage {
        keys = List.copyOf(keys);
        measures = List.copyOf(measures);
        aggregates = List.copyOf(aggregates);
        outputs = List.copyOf(outputs);
    }

    boolean isGlobal() {
        return keys.isEmpty();
    }

    /** A key: its SQL over the source's columns, and its type there. */
    public record Key(String sql, String duckType) {}

    /**
     * The columns of the view's files that hold the state, visible ones where a visible column is that very value:
     * the keys, and unless {@code byKey} the row count and the measures.
     */
    public record Stored(List<String> keys, Optional<String> count, List<String> measures) {
        public Stored {
            keys = List.copyOf(keys);
            measures = List.copyOf(measures);
        }
    }
}
