package io.weir.incremental.view;

import java.util.Optional;

/** The outcome of an advance, and what the stages that follow see of it. */
record StageResult(StageOutcome outcome, Optional<Delta> delta) {
    static StageResult of(StageOutcome outcome) {
        return new StageResult(outcome, Optional.empty());
    }
}
