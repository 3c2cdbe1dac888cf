package io.weir.coordinator;

/**
 * An expectation of a view and how often rows broke it.
 *
 * @param failedRows exact: committed with the rows it counts
 */
public record Expectation(String name, String condition, OnViolation onViolation, long failedRows) {

    public enum OnViolation {
        KEEP,
        DROP,
        FAIL
    }

    public Expectation plus(long rows) {
        return new Expectation(name, condition, onViolation, Math.addExact(failedRows, rows));
    }
}
