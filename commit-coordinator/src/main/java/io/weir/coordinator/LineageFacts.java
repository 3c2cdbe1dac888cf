package io.weir.coordinator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;

/** Collects what one group adds to one table's lineage. From format version 3 on, row ids are Iceberg's own. */
final class LineageFacts {
    private static final int ROW_IDS_IN_ICEBERG = 3;

    private final Lineage.Stamp stamp;
    private final List<Lineage.Range> ranges = new ArrayList<>();
    private final Map<Long, Lineage.Stamp> sequences = new HashMap<>();
    private final Map<String, Long> firstRowIds = new HashMap<>();
    private long nextRowId;

    LineageFacts(CatalogState state, Lineage lineage) {
        this.stamp = new Lineage.Stamp(state.version().number(), state.committedAt());
        this.nextRowId = lineage.nextRowId();
    }

    /**
     * A snapshot that brings files: each row gets an id, in the files' order.
     *
     * @return the first id given; empty where there was no row
     */
    Optional<Long> take(int formatVersion, Snapshot snapshot, List<DataFile> added) {
        sequences.put(snapshot.sequenceNumber(), stamp);
        if (formatVersion >= ROW_IDS_IN_ICEBERG) {
            Long first = snapshot.firstRowId();
            Long rows = snapshot.addedRows();
            if (first == null || rows == null || rows == 0) {
                return Optional.empty();
            }
            ranges.add(new Lineage.Range(first, rows, stamp));
            return Optional.of(first);
        }
        long first = nextRowId;
        for (DataFile file : added) {
            firstRowIds.put(file.location(), nextRowId);
            nextRowId += file.recordCount();
        }
        if (nextRowId == first) {
            return Optional.empty();
        }
        ranges.add(new Lineage.Range(first, nextRowId - first, stamp));
        return Optional.of(first);
    }

    /** A view's snapshot, whose rows carry their ids. */
    void derived(int formatVersion, Snapshot snapshot, long idsUsed, List<Lineage.Range> adopted) {
        sequences.put(snapshot.sequenceNumber(), stamp);
        for (Lineage.Range range : adopted) {
            ranges.add(range);
            nextRowId = Math.max(nextRowId, range.firstRowId() + range.rows());
        }
        if (idsUsed > 0) {
            long first = formatVersion >= ROW_IDS_IN_ICEBERG ? snapshot.firstRowId() : nextRowId;
            ranges.add(new Lineage.Range(first, idsUsed, stamp));
            nextRowId = Math.max(nextRowId, first + idsUsed);
        }
    }

    /** Every live file of a table that comes with a history. */
    void adopt(TableMetadata metadata, FileIO io) {
        sequences.put(metadata.lastSequenceNumber(), stamp);
        if (metadata.formatVersion() >= ROW_IDS_IN_ICEBERG) {
            if (metadata.nextRowId() > 0) {
                ranges.add(new Lineage.Range(0, metadata.nextRowId(), stamp));
            }
            return;
        }
        if (metadata.currentSnapshot() == null) {
            return;
        }
        for (ManifestFile manifest : metadata.currentSnapshot().dataManifests(io)) {
            try (CloseableIterable<DataFile> files = ManifestFiles.read(manifest, io, metadata.specsById())) {
                for (DataFile file : files) {
                    firstRowIds.put(file.location(), nextRowId);
                    nextRowId += file.recordCount();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("can not read manifest " + manifest.path(), e);
            }
        }
        if (nextRowId > 0) {
            ranges.add(new Lineage.Range(0, nextRowId, stamp));
        }
    }

    Lineage.Facts facts() {
        return new Lineage.Facts(nextRowId, ranges, sequences, firstRowIds);
    }
}
