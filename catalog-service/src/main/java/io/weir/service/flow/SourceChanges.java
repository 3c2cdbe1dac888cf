package io.weir.service.flow;

import io.weir.coordinator.TableEntry;
import io.weir.incremental.FileRows;
import io.weir.incremental.TableRows;
import io.weir.incremental.view.Change;
import io.weir.service.rows.TableReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

/**
 * What happened to a table between two snapshots, as files that left and files that came. It looks at what the snapshots
 * hold, not at how one became the other: so it is right for every kind of write, for several commits at once, and for a
 * branch that was moved elsewhere. A file whose deletes changed is named on both sides: some of its rows left, or came
 * back.
 */
final class SourceChanges {
    private final TableReader reader;

    SourceChanges(TableReader reader) {
        this.reader = reader;
    }

    /** @param from the snapshot's id; null: the empty table */
    Change between(TableEntry table, TableMetadata metadata, Long from, Snapshot to) {
        Snapshot before = from == null ? null : metadata.snapshot(from);
        if (from != null && before == null) {
            throw new FrontierLostException(
                    table.name() + " no longer has snapshot " + from + ", up to which a view that reads it was exact");
        }
        Optional<List<DataFile>> appended =
                before == null || to == null ? Optional.empty() : reader.onlyAdded(metadata, before, to);
        if (appended.isPresent()) {
            List<FileRows> rows = appended.get().stream()
                    .map(file -> reader.fileRows(table.lineage(), file))
                    .toList();
            return rows.isEmpty()
                    ? new Change.None()
                    : new Change.OfFiles(TableRows.none(metadata.schema()), new TableRows(metadata.schema(), rows));
        }
        Map<String, FileScanTask> left = byLocation(reader.tasks(metadata, before));
        List<FileRows> removed = new ArrayList<>();
        List<FileRows> added = new ArrayList<>();
        for (FileScanTask now : reader.tasks(metadata, to)) {
            FileScanTask then = left.remove(now.file().location());
            if (then == null) {
                added.add(reader.fileRows(table.lineage(), metadata.schema(), now));
            } else if (!locations(then.deletes()).equals(locations(now.deletes()))) {
                removed.add(reader.fileRows(table.lineage(), metadata.schema(), then));
                added.add(reader.fileRows(table.lineage(), metadata.schema(), now));
            }
        }
        for (FileScanTask then : left.values()) {
            removed.add(reader.fileRows(table.lineage(), metadata.schema(), then));
        }
        return removed.isEmpty() && added.isEmpty()
                ? new Change.None()
                : new Change.OfFiles(
                        new TableRows(metadata.schema(), removed), new TableRows(metadata.schema(), added));
    }

    private static Map<String, FileScanTask> byLocation(List<FileScanTask> tasks) {
        Map<String, FileScanTask> byLocation = new HashMap<>();
        tasks.forEach(task -> byLocation.put(task.file().location(), task));
        return byLocation;
    }

    /** A deletion vector is a part of its file: two in one Puffin file differ by their offset. */
    private static Set<String> locations(List<DeleteFile> deletes) {
        Set<String> locations = new HashSet<>();
        deletes.forEach(delete -> locations.add(delete.location() + "#" + delete.contentOffset()));
        return locations;
    }
}
