package io.weir.coordinator;

import java.time.Duration;

/**
 * How many commits a lake takes in before it refuses more.
 *
 * @param commits between arrival and answer, at most
 * @param bytes of memory those are taken to need, at most; a commit larger than this is taken when nothing else waits
 * @param patience a commit that was not taken into a group within it is refused
 */
public record CommitLimits(int commits, long bytes, Duration patience) {
    public static final CommitLimits DEFAULT = new CommitLimits(4_096, 256L << 20, Duration.ofMinutes(1));

    public CommitLimits {
        if (commits < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "a lake takes at least one commit of one byte: " + commits + ", " + bytes);
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("a commit waits for some time: " + patience);
        }
    }
}
