package io.weir.store;

/**
 * An operation on an object store that did not work: what, why and what to do. It always says whether the operation may
 * have happened all the same; for a read that question is idle and the answer is no.
 */
public final class StoreException extends RuntimeException {
    /** SQLSTATE of an input or output error. */
    public static final String IO_ERROR = "58030";

    /** SQLSTATE of a missing right. */
    public static final String NO_PRIVILEGE = "42501";

    /** SQLSTATE of a setting that cannot be used. */
    public static final String INVALID_SETTING = "22023";

    private final String code;
    private final String hint;
    private final boolean maybeHappened;

    private StoreException(String code, String message, String hint, boolean maybeHappened, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
        this.maybeHappened = maybeHappened;
    }

    static StoreException failed(String code, String message, String hint, Throwable cause) {
        return new StoreException(code, message, hint, false, cause);
    }

    /** An operation that may or may not have happened. */
    public static StoreException unknown(String message, String hint, Throwable cause) {
        return new StoreException(IO_ERROR, message, hint, true, cause);
    }

    static StoreException setting(String message, String hint) {
        return new StoreException(INVALID_SETTING, message, hint, false, null);
    }

    /** SQLSTATE. */
    public String code() {
        return code;
    }

    /** What to do about it. */
    public String hint() {
        return hint;
    }

    /** True where the store may have done it although the caller was told otherwise. */
    public boolean maybeHappened() {
        return maybeHappened;
    }
}
