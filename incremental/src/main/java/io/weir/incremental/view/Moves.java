package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.Optional;

/**
 * What becomes of the rows of a view that a change touches: a relation with one row for each of them. {@code c…, h…} is the
 * row as it is now and its state, {@code o…} as it was; {@code row_id} is NULL where it was not there, {@code rid} what it
 * goes by now. It is {@code alive} when the query has it, {@code ok} when no expectation leaves it out either,
 * {@code changed} when it is not what it was, {@code born} when it was not there; {@code x…} whether it meets each
 * expectation.
 *
 * @param from what to put after FROM
 */
record Moves(String from) {
    /** Rows that are new to the view, or changed. */
    static final String ARRIVED = "ok AND changed";

    /** Rows of the view that are not any more, or not any more as they were. */
    static final String LEFT = "row_id IS NOT NULL AND NOT coalesce(ok AND NOT changed, false)";

    /** Row ids of the view whose rows, or their state, must be written anew or go. */
    String replaced() {
        return "(SELECT row_id FROM " + from + " WHERE row_id IS NOT NULL)";
    }

    /** What the stages that follow see. */
    Delta delta(ViewColumns columns, Tally tally) {
        Relation arriving =
                new Relation("SELECT " + columns.named("c") + ", rid AS __row_id FROM " + from + " WHERE " + ARRIVED);
        Optional<Relation> leaving = tally.left() == 0
                ? Optional.empty()
                : Optional.of(new Relation(
                        "SELECT " + columns.named("o") + ", row_id AS __row_id FROM " + from + " WHERE " + LEFT));
        return new EngineDelta(arriving, leaving, tally.arrived() + tally.left());
    }
}
