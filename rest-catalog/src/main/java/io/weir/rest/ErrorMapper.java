package io.weir.rest;

import io.weir.coordinator.AnsweredRequests;
import io.weir.coordinator.CommitOutcome;
import io.weir.coordinator.RequestRejectedException;
import java.util.Optional;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From what went wrong to the Iceberg error model. The status tells what a client may conclude: 409 certainly not
 * applied, 400, 403, 404, 406 and 422 never, 500 unknown, 503 certainly not applied by this server.
 */
final class ErrorMapper {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

    private ErrorMapper() {}

    static Answer answer(RuntimeException e) {
        return switch (e) {
            case HttpProblem problem -> error(problem.status(), problem.type(), problem.getMessage());
            case RequestRejectedException rejected -> answer(rejected.outcome());
            default -> unexpected(e);
        };
    }

    /**
     * What the caller is told for good. Empty where the server failed, and for a conflict: the same change may succeed
     * on the table as it is when it comes again.
     */
    static Optional<AnsweredRequests.Refusal> refusal(RuntimeException e) {
        return switch (e) {
            case HttpProblem problem ->
                Optional.of(new AnsweredRequests.Refusal(problem.status(), problem.type(), problem.getMessage()));
            case RequestRejectedException rejected ->
                switch (rejected.outcome()) {
                    case CommitOutcome.Rejected r ->
                        Optional.of(new AnsweredRequests.Refusal(
                                r.code().httpStatus(), r.code().icebergType(), withHint(r)));
                    case CommitOutcome.Committed _,
                            CommitOutcome.Conflict _,
                            CommitOutcome.Fenced _,
                            CommitOutcome.Overloaded _,
                            CommitOutcome.Unknown _ -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    private static Answer answer(CommitOutcome outcome) {
        return switch (outcome) {
            case CommitOutcome.Committed _ -> throw new IllegalArgumentException("a commit is not an error");
            case CommitOutcome.Conflict c -> error(409, "CommitFailedException", c.message());
            case CommitOutcome.Rejected r ->
                error(r.code().httpStatus(), r.code().icebergType(), withHint(r));
            case CommitOutcome.Fenced f -> error(503, "ServiceUnavailableException", f.message());
            case CommitOutcome.Overloaded o ->
                error(503, "SlowDownException", o.message())
                        .with("Retry-After", Long.toString(o.retryAfter().toSeconds()));
            case CommitOutcome.Unknown u -> error(500, "CommitStateUnknownException", u.message());
        };
    }

    private static String withHint(CommitOutcome.Rejected rejected) {
        String hint = rejected.hint();
        return hint == null || hint.isBlank() ? rejected.message() : rejected.message() + " (" + hint + ")";
    }

    private static Answer unexpected(RuntimeException e) {
        LOG.error("A request failed unexpectedly", e);
        return error(
                500,
                "InternalServerError",
                "The server failed: " + e.getClass().getSimpleName() + ": " + e.getMessage()
                        + ". Its log has the details");
    }

    private static Answer error(int status, String type, String message) {
        return Answer.json(
                status,
                ErrorResponseParser.toJson(ErrorResponse.builder()
                        .responseCode(status)
                        .withType(type)
                        .withMessage(message)
                        .build()));
    }
}
