package io.weir.coordinator;

/** Carries a {@link CommitOutcome} that is not {@code Committed} to where the request came from. */
public final class RequestRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient CommitOutcome outcome;

    public RequestRejectedException(CommitOutcome outcome) {
        super(message(outcome));
        this.outcome = outcome;
    }

    public CommitOutcome outcome() {
        return outcome;
    }

    private static String message(CommitOutcome outcome) {
        return switch (outcome) {
            case CommitOutcome.Committed _ -> throw new IllegalArgumentException("a commit is not an exception");
            case CommitOutcome.Conflict c -> c.message();
            case CommitOutcome.Rejected r -> r.message();
            case CommitOutcome.Fenced f -> f.message();
            case CommitOutcome.Overloaded o -> o.message();
            case CommitOutcome.Unknown u -> u.message();
        };
    }
}
