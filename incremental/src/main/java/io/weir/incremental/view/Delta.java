package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.Optional;

/**
 * A change as relations the engine can read: the rows that arrive and, where some do, the rows that leave. Both have the
 * source's columns in their order, then {@code __row_id}. A row id that leaves and arrives is one row, changed.
 */
sealed interface Delta permits EngineDelta, HeapDelta {
    Relation arriving();

    Optional<Relation> leaving();

    /** About how many rows they are. */
    long rows();
}
