package io.weir.incremental.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How an {@link Engine} runs.
 *
 * @param staging a folder of the engine's own: spilled data and links; made when missing
 * @param readable folders it may read and write besides; fixed once it is open. Nothing outside is ever reachable
 * @param memoryBytes what all statements together may hold before they spill or fail
 * @param threads worker threads
 * @param spillBytes what may be spilled to {@code staging}
 * @param deadline how long one statement may run
 */
public record EngineSettings(
        Path staging, List<Path> readable, long memoryBytes, int threads, long spillBytes, Duration deadline) {
    public EngineSettings {
        Objects.requireNonNull(staging, "staging");
        readable = List.copyOf(readable);
        if (memoryBytes <= 0 || threads <= 0 || spillBytes <= 0 || deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("memory, threads, spill and deadline are all above zero");
        }
    }

    /** 1 GiB of memory, 10 GiB of spill, a thread per core, five minutes. */
    public static EngineSettings of(Path staging, Path... readable) {
        return new EngineSettings(
                staging,
                List.of(readable),
                1L << 30,
                Runtime.getRuntime().availableProcessors(),
                10L << 30,
                Duration.ofMinutes(5));
    }
}
