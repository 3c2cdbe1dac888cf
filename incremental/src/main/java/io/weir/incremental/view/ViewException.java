package io.weir.incremental.view;

import io.weir.incremental.SqlState;

/** A view that cannot be made: what is wrong, why, and what to do, under a code. */
public final class ViewException extends RuntimeException {
    private final SqlState state;
    private final String hint;

    public ViewException(SqlState state, String message, String hint) {
        this(state, message, hint, null);
    }

    public ViewException(SqlState state, String message, String hint, Throwable cause) {
        super(message, cause);
        this.state = state;
        this.hint = hint;
    }

    public SqlState state() {
        return state;
    }

    /** The SQLSTATE, five characters. */
    public String code() {
        return state.code();
    }

    /** What to do about it; empty where there is nothing to say. */
    public String hint() {
        return hint;
    }

    /** Something the views cannot do yet. */
    static ViewException unsupported(String what) {
        return new ViewException(
                SqlState.FEATURE_NOT_SUPPORTED,
                what + " is not supported in a materialized view yet",
                "views take filters, projections, joins, GROUP BY and DISTINCT over tables and views; split the query"
                        + " into several views, or compute the rest when reading");
    }
}
