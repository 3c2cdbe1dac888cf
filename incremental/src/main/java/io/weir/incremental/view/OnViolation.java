package io.weir.incremental.view;

/** What becomes of a row for which an expectation's condition is false. */
public enum OnViolation {
    /** It stays, and is counted. */
    KEEP,
    /** It is left out of the view, and counted. */
    DROP,
    /** The commit that brought it is refused. */
    FAIL
}
