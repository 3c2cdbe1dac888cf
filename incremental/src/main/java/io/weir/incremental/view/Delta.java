package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.Optional;

/**
 * A change as relations the engine can read: the rows that arrive and, where some do, the rows that leave. Both have the
 * source's columns in their order, then {@code __row_id}. A row id that leaves and arrives is one row, changed.
 *
 * @param rows about how many rows they are
 */
record Delta(Relation arriving, Optional<Relation> leaving, long rows) {}
