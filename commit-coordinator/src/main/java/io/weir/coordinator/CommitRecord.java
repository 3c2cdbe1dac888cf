package io.weir.coordinator;

import java.time.Instant;
import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;

/** One row of {@code weir.commits}: what an entry did to one table. */
public record CommitRecord(
        long version,
        Instant committedAt,
        TableIdentifier table,
        String operation,
        Optional<Long> snapshotId,
        Optional<Long> sequenceNumber,
        Optional<Long> firstRowId,
        long addedRows,
        long deletedRows,
        String author,
        String engine,
        boolean rebased,
        long durationMillis) {}
