package io.weir.store;

/** What becomes of one operation on a {@link FaultyStore}: whether it happens, and whether its caller learns so. */
public enum Fault {
    /** It happens and is reported. */
    NONE(true, true),
    /** It happens, and the answer is lost. */
    ANSWER_LOST(true, false),
    /** It does not happen, and is reported as failed for certain. */
    REFUSED(false, true),
    /** It does not happen, and nobody learns so. */
    REQUEST_LOST(false, false);

    private final boolean happens;
    private final boolean reported;

    Fault(boolean happens, boolean reported) {
        this.happens = happens;
        this.reported = reported;
    }

    public boolean happens() {
        return happens;
    }

    public boolean reported() {
        return reported;
    }
}
