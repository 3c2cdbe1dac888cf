package io.weir.coordinator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Schema;

/**
 * How one view moves in a commit: files that are already on the store, and the facts that go with them.
 *
 * @param snapshotId of the snapshot that will hold it
 * @param added its new data files; every row in them carries its row id and its sequence number
 * @param removed data files that leave with all their rows
 * @param addedDeletes position deletes (v2) or deletion vectors (v3)
 * @param removedDeletes deletion vectors that the added ones replace
 * @param rowIdsUsed row ids taken from the view's own counter, from its next row id on
 * @param adopted lineage ranges of its sources that its rows may come from (views that keep their source's row ids)
 * @param frontier for each source's table id, the snapshot the view has now taken in
 * @param broken for each expectation by name, the rows that broke it in this move
 * @param schema the view's columns from here on, where its sources' types changed those of its own
 */
public record ViewMove(
        long snapshotId,
        List<DataFile> added,
        List<DataFile> removed,
        List<DeleteFile> addedDeletes,
        List<DeleteFile> removedDeletes,
        long rowIdsUsed,
        List<Lineage.Range> adopted,
        Map<String, Long> frontier,
        Map<String, Long> broken,
        FlowEntry.LastMove measured,
        Optional<Schema> schema) {
    public ViewMove {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        addedDeletes = List.copyOf(addedDeletes);
        removedDeletes = List.copyOf(removedDeletes);
        adopted = List.copyOf(adopted);
        frontier = Map.copyOf(frontier);
        broken = Map.copyOf(broken);
    }

    /** A move that leaves the view's schema as it is. */
    public ViewMove(
            long snapshotId,
            List<DataFile> added,
            List<DataFile> removed,
            List<DeleteFile> addedDeletes,
            List<DeleteFile> removedDeletes,
            long rowIdsUsed,
            List<Lineage.Range> adopted,
            Map<String, Long> frontier,
            Map<String, Long> broken,
            FlowEntry.LastMove measured) {
        this(
                snapshotId,
                added,
                removed,
                addedDeletes,
                removedDeletes,
                rowIdsUsed,
                adopted,
                frontier,
                broken,
                measured,
                Optional.empty());
    }

    /** The same move, of a view whose columns change with it. */
    public ViewMove with(Schema changed) {
        return new ViewMove(
                snapshotId,
                added,
                removed,
                addedDeletes,
                removedDeletes,
                rowIdsUsed,
                adopted,
                frontier,
                broken,
                measured,
                Optional.of(changed));
    }

    public boolean movesRows() {
        return !(added.isEmpty() && removed.isEmpty() && addedDeletes.isEmpty());
    }
}
