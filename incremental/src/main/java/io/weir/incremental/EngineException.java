package io.weir.incremental;

/** A statement the engine could not carry out: what is wrong, why, and what to do, under a code. */
public final class EngineException extends RuntimeException {
    private final SqlState state;
    private final String hint;

    public EngineException(SqlState state, String message, String hint) {
        this(state, message, hint, null);
    }

    public EngineException(SqlState state, String message, String hint, Throwable cause) {
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
}
