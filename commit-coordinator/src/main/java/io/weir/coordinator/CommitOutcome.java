package io.weir.coordinator;

import java.time.Duration;

/**
 * How a {@link LakeRequest} ended. Expected ends are values, told apart by what the caller may conclude:
 *
 * <ul>
 *   <li>{@link Committed}: in the log on the store, for good.
 *   <li>{@link Conflict}: certainly not applied; on a newer state it may succeed (409).
 *   <li>{@link Rejected}: certainly not applied, and never will be as it stands (400, 403, 404, …).
 *   <li>{@link Fenced}: certainly not applied; this server no longer leads the lake (503).
 *   <li>{@link Overloaded}: certainly not applied, not even looked at; it may be sent again after a while (503).
 *   <li>{@link Unknown}: may or may not have been applied; no file of the request may be deleted (500, 504).
 * </ul>
 */
public sealed interface CommitOutcome {

    /** Applied; {@code state} is the lake at {@code state.version()}, which holds the request's effect. */
    record Committed(CatalogState state) implements CommitOutcome {}

    record Conflict(String message) implements CommitOutcome {}

    /**
     * Certainly not applied.
     *
     * @param sqlState overrides the code's own SQLSTATE where the cause has a more exact one (a cast in a view, say)
     */
    record Rejected(ErrorCode code, String sqlState, String message, String hint) implements CommitOutcome {
        public static Rejected of(ErrorCode code, String message, String hint) {
            return new Rejected(code, code.sqlState(), message, hint);
        }
    }

    record Fenced(String message) implements CommitOutcome {}

    /**
     * Not looked at: too many commits are under way.
     *
     * @param retryAfter when to try again, at the earliest
     */
    record Overloaded(String message, Duration retryAfter) implements CommitOutcome {}

    record Unknown(String message) implements CommitOutcome {}
}
