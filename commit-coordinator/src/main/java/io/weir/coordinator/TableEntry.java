package io.weir.coordinator;

import java.time.Instant;
import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A table of the lake, or a materialized view, which is a table with a flow.
 *
 * @param id the lake's own identity of it: kept through renames, never given twice
 * @param metadataLocation its current Iceberg metadata file
 * @param location the folder its files are written under; no other table's
 */
public record TableEntry(
        String id,
        TableIdentifier name,
        String metadataLocation,
        String location,
        Lineage lineage,
        Optional<FlowEntry> flow,
        Instant createdAt,
        Instant updatedAt) {

    public boolean isView() {
        return flow.isPresent();
    }

    /** As in {@code weir.tables}. */
    public String kind() {
        return isView() ? "materialized view" : "table";
    }

    TableEntry named(TableIdentifier newName) {
        return new TableEntry(id, newName, metadataLocation, location, lineage, flow, createdAt, updatedAt);
    }

    TableEntry withFlow(Optional<FlowEntry> newFlow) {
        return new TableEntry(id, name, metadataLocation, location, lineage, newFlow, createdAt, updatedAt);
    }

    TableEntry committed(String newMetadataLocation, String newLocation, Lineage newLineage, Instant at) {
        return new TableEntry(id, name, newMetadataLocation, newLocation, newLineage, flow, createdAt, at);
    }
}
