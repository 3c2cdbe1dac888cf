package io.weir.coordinator;

import java.time.Duration;

/**
 * How much of its past a lake keeps.
 *
 * @param checkpointEvery so many entries after a checkpoint the next is written; a start replays about as many at most
 * @param retention how long an entry stays in the log, at least: the past that can be read
 */
public record LogPolicy(int checkpointEvery, Duration retention) {
    public static final LogPolicy DEFAULT = new LogPolicy(1_000, Duration.ofDays(7));

    public LogPolicy {
        if (checkpointEvery < 1) {
            throw new IllegalArgumentException("a checkpoint is written every entry or less often: " + checkpointEvery);
        }
        if (retention.isNegative()) {
            throw new IllegalArgumentException("a retention is not negative: " + retention);
        }
    }
}
