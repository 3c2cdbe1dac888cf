package io.weir.service;

import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The engines of one server: one with a thread for each core, for statements and large changes, and one with a single
 * thread, for the small changes that most commits are. With more threads a statement over a few rows takes twice as
 * long, as long as the threads take to find that there is nothing for them to do.
 *
 * @param deltas with one thread
 */
record Engines(Engine statements, Engine deltas) implements AutoCloseable {
    /**
     * Engines that open when first used.
     *
     * @param memory bytes, shared half and half
     */
    static Engines of(
            Path folder, List<Path> readable, long memory, int threads, long spillBytes, Duration statementTimeout) {
        return new Engines(
                Engine.of(new EngineSettings(
                        folder.resolve("engine"), readable, memory / 2, threads, spillBytes, statementTimeout)),
                Engine.of(new EngineSettings(
                        folder.resolve("deltas"), readable, memory / 2, 1, spillBytes, statementTimeout)));
    }

    void warmUp() {
        statements.warmUp();
        deltas.warmUp();
    }

    @Override
    public void close() {
        try (statements;
                deltas) {
            // Each is closed even if the other fails.
        }
    }
}
