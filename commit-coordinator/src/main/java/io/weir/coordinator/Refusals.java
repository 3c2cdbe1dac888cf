package io.weir.coordinator;

/** Short ways to end a request. */
final class Refusals {
    private Refusals() {}

    static RequestRejectedException rejected(ErrorCode code, String message, String hint) {
        return new RequestRejectedException(CommitOutcome.Rejected.of(code, message, hint));
    }

    static RequestRejectedException conflict(String message) {
        return new RequestRejectedException(new CommitOutcome.Conflict(message));
    }
}
