package io.weir.incremental.view;

/**
 * A number or value kept for each group, from which aggregates are computed. {@code argument} is SQL over the source's
 * columns, NULL where the row does not count; {@code duckType} is what the measure is computed in.
 */
public sealed interface Measure {
    String argument();

    String duckType();

    /** How many arguments are not NULL. */
    record Count(String argument) implements Measure {
        @Override
        public String duckType() {
            return "BIGINT";
        }
    }

    /** The sum of whole numbers (HUGEINT) or decimals; 0 of nothing. Adding and taking away are exact. */
    record Sum(String argument, String duckType) implements Measure {}

    /** The least argument; NULL of nothing. */
    record Least(String argument, String duckType) implements Measure {}

    /** The greatest argument; NULL of nothing. */
    record Greatest(String argument, String duckType) implements Measure {}

    /** A whole aggregate call over the group's rows, which cannot be moved by a change: {@code argument} is the call. */
    record Whole(String argument, String duckType) implements Measure {}
}
