package io.weir.service.sql;

import java.util.Optional;

/**
 * A statement that cannot be carried out, for a reason its writer can act on: an SQLSTATE, what is wrong and why, and
 * what to do. Never used for a fault of Weir's own.
 */
public final class SqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String hint;

    public SqlException(String code, String message, String hint) {
        super(message);
        this.code = code;
        this.hint = hint;
    }

    public SqlException(String code, String message) {
        this(code, message, "");
    }

    public SqlException(String code, String message, String hint, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
    }

    /** The five characters of the SQLSTATE. */
    public String code() {
        return code;
    }

    public Optional<String> hint() {
        return hint.isEmpty() ? Optional.empty() : Optional.of(hint);
    }
}
