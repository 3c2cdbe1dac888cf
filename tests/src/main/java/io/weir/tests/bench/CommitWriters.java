package io.weir.tests.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.metrics.CommitReport;
import org.apache.iceberg.metrics.MetricsReport;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;

/**
 * Writers with Iceberg's Java client, each with a table object of its own, that know nothing of each other. A commit is a
 * fast append of one data file. Data files are names only: what is measured is the commit, the client's part of it
 * (manifest, manifest list, two looks at the table) included.
 */
final class CommitWriters implements AutoCloseable {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.optional(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "site", Types.StringType.get()),
            Types.NestedField.optional(3, "value", Types.DoubleType.get()));

    /** Iceberg's own backoff between tries, but more of them: a writer that gives up measures nothing. */
    private static final String RETRIES = "50";

    private final RESTCatalog catalog;

    CommitWriters(LoadTarget target) {
        this.catalog = target.client();
    }

    /** Makes empty tables in a namespace. */
    List<TableIdentifier> tables(String namespace, int count) {
        List<TableIdentifier> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TableIdentifier name = TableIdentifier.of(Namespace.of(namespace), "t" + i);
            catalog.buildTable(name, SCHEMA)
                    .withPartitionSpec(PartitionSpec.unpartitioned())
                    .withProperty("format-version", "2")
                    .withProperty("commit.retry.num-retries", RETRIES)
                    .create();
            names.add(name);
        }
        return names;
    }

    /** One writer for each name, which may be the same; each begins at the same moment and commits until the time is over. */
    CommitRun run(List<TableIdentifier> tables, Duration time) {
        CountDownLatch ready = new CountDownLatch(tables.size());
        CountDownLatch go = new CountDownLatch(1);
        List<Table> own = tables.stream().map(catalog::loadTable).toList();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<CommitRun>> writers = own.stream()
                    .map(table -> threads.submit(() -> {
                        connect(table, ready);
                        go.await();
                        return write(table, time);
                    }))
                    .toList();
            ready.await();
            long start = System.nanoTime();
            go.countDown();
            List<CommitRun> ends = new ArrayList<>();
            for (Future<CommitRun> writer : writers) {
                ends.add(writer.get());
            }
            return CommitRun.of(ends, (System.nanoTime() - start) / 1e9);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a writer failed", e.getCause());
        }
    }

    /** Making the clients of the store takes longer than a commit, and is no part of one. */
    private static void connect(Table table, CountDownLatch ready) {
        try {
            table.io().newInputFile(table.location() + "/metadata/none").exists();
        } finally {
            ready.countDown();
        }
    }

    private static CommitRun write(Table loaded, Duration time) {
        AtomicLong attempts = new AtomicLong();
        Table table = new BaseTable(
                ((HasTableOperations) loaded).operations(),
                loaded.name(),
                report -> attempts.addAndGet(attemptsOf(report)));
        Set<String> acknowledged = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        List<Double> millis = new ArrayList<>();
        int failed = 0;
        long begin = System.nanoTime();
        do {
            DataFile file = file(table);
            long start = System.nanoTime();
            try {
                table.newFastAppend().appendFile(file).commit();
                millis.add((System.nanoTime() - start) / 1e6);
                acknowledged.add(file.location());
            } catch (CommitFailedException e) {
                failed++;
            } catch (RESTException e) {
                unknown.add(file.location());
            }
        } while (System.nanoTime() - begin < time.toNanos());
        long conflicts = attempts.get() - acknowledged.size() + failed * (1 + Long.parseLong(RETRIES));
        return new CommitRun(acknowledged, unknown, conflicts, failed, millis, (System.nanoTime() - begin) / 1e9);
    }

    private static long attemptsOf(MetricsReport report) {
        return report instanceof CommitReport commit
                ? commit.commitMetrics().attempts().value()
                : 0;
    }

    static DataFile file(Table table) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
                .withFileSizeInBytes(1_000)
                .withRecordCount(1)
                .build();
    }

    /** The data files of tables as they are now, asked by a client that has seen nothing before. */
    static List<String> files(LoadTarget target, Set<TableIdentifier> tables) {
        List<String> files = new ArrayList<>();
        try (RESTCatalog fresh = target.client()) {
            for (TableIdentifier name : tables) {
                try (CloseableIterable<FileScanTask> tasks =
                        fresh.loadTable(name).newScan().planFiles()) {
                    tasks.forEach(task -> files.add(task.file().location()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    @Override
    public void close() {
        try {
            catalog.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
