package io.weir.coordinator;

import io.weir.coordinator.AnsweredRequests.Answered;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** One fact of a checkpoint, on a line of its own. */
sealed interface CheckpointLine {

    record OfNamespace(Namespace namespace, Map<String, String> properties) implements CheckpointLine {}

    record OfTable(Table table, Lineage lineage) implements CheckpointLine {}

    /** In the order of dropping. */
    record OfDropped(Dropped dropped, Lineage lineage) implements CheckpointLine {}

    record OfView(LogicalView view) implements CheckpointLine {}

    /** In the order of commits. */
    record OfCommit(CommitRecord commit) implements CheckpointLine {}

    /** In the order of first answers. */
    record OfAnswer(Answered answered) implements CheckpointLine {}

    /** First to last. */
    record OfLeader(Leadership leader) implements CheckpointLine {}

    /** A {@link TableEntry} without its lineage, which has a line of its own. */
    record Table(
            String id,
            TableIdentifier name,
            String metadataLocation,
            String location,
            Optional<FlowEntry> flow,
            Instant createdAt,
            Instant updatedAt) {

        static Table of(TableEntry table) {
            return new Table(
                    table.id(),
                    table.name(),
                    table.metadataLocation(),
                    table.location(),
                    table.flow(),
                    table.createdAt(),
                    table.updatedAt());
        }

        TableEntry with(Lineage lineage) {
            return new TableEntry(id, name, metadataLocation, location, lineage, flow, createdAt, updatedAt);
        }
    }

    /** A {@link DroppedTable} without its lineage. */
    record Dropped(Table table, Instant droppedAt, String droppedBy, Instant keptUntil, long liveRows, long bytes) {
        static Dropped of(DroppedTable dropped) {
            return new Dropped(
                    Table.of(dropped.table()),
                    dropped.droppedAt(),
                    dropped.droppedBy(),
                    dropped.keptUntil(),
                    dropped.liveRows(),
                    dropped.bytes());
        }

        DroppedTable with(Lineage lineage) {
            return new DroppedTable(table.with(lineage), droppedAt, droppedBy, keptUntil, liveRows, bytes);
        }
    }
}
