package io.weir.service.rows;

import io.weir.coordinator.Lineage;
import io.weir.coordinator.SameThread;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.EqualityDeletes;
import io.weir.incremental.FileRows;
import io.weir.incremental.PositionDeletes;
import io.weir.incremental.SystemColumns;
import io.weir.incremental.TableRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;

/**
 * Gives the engine a table's rows at a snapshot: its files, staged, each with the deletes that apply to it. Iceberg's
 * own planning decides which those are. Safe for many threads.
 */
public final class TableReader {
    private final FileIO io;
    private final FileStage stage;

    public TableReader(FileIO io, FileStage stage) {
        this.io = io;
        this.stage = stage;
    }

    /** The rows of the current snapshot of {@code main}. */
    public TableRows rows(TableEntry table, TableMetadata metadata) {
        return rows(table.lineage(), metadata, metadata.currentSnapshot());
    }

    /** {@code snapshot} may be null: no rows. The schema is the table's current one. */
    public TableRows rows(Lineage lineage, TableMetadata metadata, Snapshot snapshot) {
        var files = new ArrayList<FileRows>();
        for (FileScanTask task : tasks(metadata, snapshot)) {
            files.add(fileRows(lineage, metadata.schema(), task));
        }
        return new TableRows(metadata.schema(), files);
    }

    /** The files of a snapshot with the deletes that apply to each. */
    public List<FileScanTask> tasks(TableMetadata metadata, Snapshot snapshot) {
        if (snapshot == null) {
            return List.of();
        }
        var table = new BaseTable(new StaticTableOperations(metadata, io), "table");
        try (CloseableIterable<FileScanTask> tasks = table.newScan()
                .useSnapshot(snapshot.snapshotId())
                .planWith(SameThread.forManifests(snapshot.allManifests(io).size()))
                .planFiles()) {
            var all = new ArrayList<FileScanTask>();
            tasks.forEach(all::add);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("the manifests of snapshot " + snapshot.snapshotId() + " do not close", e);
        }
    }

    public FileRows fileRows(Lineage lineage, Schema schema, FileScanTask task) {
        DataFile file = task.file();
        var positions = new ArrayList<PositionDeletes>();
        var equalities = new ArrayList<EqualityDeletes>();
        for (DeleteFile delete : task.deletes()) {
            if (delete.content() == FileContent.EQUALITY_DELETES) {
                equalities.add(new EqualityDeletes(stage.local(delete.location()), delete.equalityFieldIds(), schema));
            } else if (delete.format() == FileFormat.PUFFIN) {
                positions.add(new PositionDeletes.Positions(positions(delete, file.location())));
            } else {
                positions.add(new PositionDeletes.InFile(stage.local(delete.location())));
            }
        }
        return new FileRows(
                file.location(),
                stage.local(file.location()),
                file.recordCount(),
                firstRowId(lineage, file),
                file.dataSequenceNumber() == null ? 0 : file.dataSequenceNumber(),
                positions,
                equalities);
    }

    /** A file that is not part of a snapshot yet: no delete hits it, its rows have no ids yet. */
    public FileRows fileRows(DataFile file) {
        return FileRows.of(file.location(), stage.local(file.location()), file.recordCount(), OptionalLong.empty(), 0);
    }

    /** A live file that no delete hits. */
    public FileRows fileRows(Lineage lineage, DataFile file) {
        return FileRows.of(
                file.location(),
                stage.local(file.location()),
                file.recordCount(),
                firstRowId(lineage, file),
                file.dataSequenceNumber() == null ? 0 : file.dataSequenceNumber());
    }

    /**
     * The files {@code to} has beyond {@code from}, where that is all the difference: every manifest of the one is the
     * other's too, and those it has besides hold nothing but files that were new with them. Costs what was added, however
     * much there was before. Empty where more, or something else, has changed: then both snapshots must be compared.
     */
    public Optional<List<DataFile>> onlyAdded(TableMetadata metadata, Snapshot from, Snapshot to) {
        Set<String> before = new HashSet<>();
        from.allManifests(io).forEach(manifest -> before.add(manifest.path()));
        List<ManifestFile> besides = new ArrayList<>();
        int kept = 0;
        boolean deletes = false;
        for (ManifestFile manifest : to.allManifests(io)) {
            deletes |= manifest.content() == ManifestContent.DELETES;
            if (before.contains(manifest.path())) {
                kept++;
            } else if (manifest.content() == ManifestContent.DELETES
                    || manifest.hasExistingFiles()
                    || manifest.hasDeletedFiles()) {
                return Optional.empty();
            } else {
                besides.add(manifest);
            }
        }
        if (kept != before.size()) {
            return Optional.empty();
        }
        List<DataFile> added = new ArrayList<>();
        for (ManifestFile manifest : besides) {
            try (CloseableIterable<DataFile> files = ManifestFiles.read(manifest, io, metadata.specsById())) {
                files.forEach(file -> added.add(file.copy()));
            } catch (IOException e) {
                throw new UncheckedIOException("the manifest " + manifest.path() + " does not close", e);
            }
        }
        // Deletes there were hit only files of lower or equal sequence numbers: one written as if it were old may be
        // hit.
        boolean mayBeHit = deletes
                && added.stream()
                        .anyMatch(file -> file.dataSequenceNumber() == null
                                || file.dataSequenceNumber() <= from.sequenceNumber());
        return mayBeHit ? Optional.empty() : Optional.of(added);
    }

    /** The positions in a data file that a deletion vector or position delete file names, rising. */
    public long[] positions(DeleteFile delete, String dataFile) {
        PositionDeleteIndex index = new BaseDeleteLoader(file -> io.newInputFile(file.location()))
                .loadPositionDeletes(List.of(delete), dataFile);
        var positions = new long[Math.toIntExact(index.cardinality())];
        var next = new int[1];
        index.forEach(position -> positions[next[0]++] = position);
        return positions;
    }

    private static OptionalLong firstRowId(Lineage lineage, DataFile file) {
        if (file.firstRowId() != null) {
            return OptionalLong.of(file.firstRowId());
        }
        Long recorded = lineage.firstRowIds().get(file.location());
        return recorded == null ? OptionalLong.empty() : OptionalLong.of(recorded);
    }

    /** The lineage as the engine wants it, for system columns. */
    public static SystemColumns systemColumns(Lineage lineage) {
        List<SystemColumns.Range> ranges = lineage.ranges().values().stream()
                .map(r -> new SystemColumns.Range(
                        r.firstRowId(), r.rows(), r.stamp().version(), r.stamp().at()))
                .toList();
        List<SystemColumns.Sequence> sequences = lineage.sequences().entrySet().stream()
                .map(s -> new SystemColumns.Sequence(
                        s.getKey(), s.getValue().version(), s.getValue().at()))
                .toList();
        return new SystemColumns(ranges, sequences);
    }
}
