package io.weir.incremental;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.parquet.Parquet;

/**
 * Loads Iceberg's Parquet writer, and the Hadoop configuration it needs, once and on a platform thread. Loading it on
 * several virtual threads at once can stop them all: those that wait for a class to be initialized keep their carrier
 * threads, and the one that initializes it, once it has waited for a lock, finds none to go on with.
 */
public final class ParquetLibrary {
    private static final ReentrantLock LOADING = new ReentrantLock();
    private static volatile boolean loaded;

    private ParquetLibrary() {}

    /** Returns once it is loaded. Safe for many threads. */
    public static void ready() {
        if (loaded) {
            return;
        }
        LOADING.lock();
        try {
            if (!loaded) {
                CompletableFuture.runAsync(
                                ParquetLibrary::load,
                                task -> Thread.ofPlatform()
                                        .name("weir-load-parquet")
                                        .daemon()
                                        .start(task))
                        .join();
                loaded = true;
            }
        } finally {
            LOADING.unlock();
        }
    }

    private static void load() {
        try {
            PositionDeleteWriter<Void> writer = Parquet.writeDeletes(new InMemoryOutputFile("memory:load"))
                    .withSpec(PartitionSpec.unpartitioned())
                    .metricsConfig(MetricsConfig.forPositionDelete())
                    .buildPositionWriter();
            try (writer) {
                writer.write(PositionDelete.<Void>create().set("memory:file", 0));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Iceberg's Parquet writer does not load", e);
        }
    }
}
