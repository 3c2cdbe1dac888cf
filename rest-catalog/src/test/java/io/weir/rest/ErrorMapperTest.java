package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.coordinator.CommitOutcome;
import io.weir.coordinator.ErrorCode;
import io.weir.coordinator.RequestRejectedException;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.junit.jupiter.api.Test;

/** The status tells a client what it may conclude, so each outcome has exactly one. */
class ErrorMapperTest {

    @Test
    void aConflictIsCertainlyNotApplied() {
        assertThat(of(new CommitOutcome.Conflict("stale"))).isEqualTo("409 CommitFailedException: stale");
    }

    @Test
    void anUnknownOutcomeIsSaidToBeUnknown() {
        assertThat(of(new CommitOutcome.Unknown("lost"))).isEqualTo("500 CommitStateUnknownException: lost");
    }

    @Test
    void aServerThatNoLongerLeadsIsUnavailable() {
        assertThat(of(new CommitOutcome.Fenced("cut off"))).isEqualTo("503 ServiceUnavailableException: cut off");
    }

    @Test
    void aRejectionHasItsCodesStatusAndItsHint() {
        assertThat(of(CommitOutcome.Rejected.of(ErrorCode.WRITTEN_BY_FLOW, "gold is a view", "write to bronze")))
                .isEqualTo("403 ForbiddenException: gold is a view (write to bronze)");
    }

    @Test
    void noRejectionHasAStatusThatMakesAClientRetry() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(of(CommitOutcome.Rejected.of(code, "m", "")))
                    .as(code.name())
                    .startsWith("4")
                    .doesNotStartWith("408")
                    .doesNotStartWith("429")
                    .doesNotContain("CommitFailedException");
        }
    }

    @Test
    void aBugIsAServerErrorInTheErrorModel() {
        Answer answer = ErrorMapper.answer(new IllegalStateException("oops"));
        assertThat(answer.status()).isEqualTo(500);
        assertThat(ErrorResponseParser.fromJson(answer.json()).message()).contains("IllegalStateException: oops");
    }

    private static String of(CommitOutcome outcome) {
        Answer answer = ErrorMapper.answer(new RequestRejectedException(outcome));
        ErrorResponse error = ErrorResponseParser.fromJson(answer.json());
        assertThat(error.code()).isEqualTo(answer.status());
        return answer.status() + " " + error.type() + ": " + error.message();
    }
}
