package io.weir.coordinator;

import java.time.Instant;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A view of the Iceberg view specification: query texts that engines run. Not to be confused with a materialized view,
 * which is a {@link TableEntry} with a flow. Views and tables share their names.
 *
 * @param id the lake's own identity of it, kept through renames
 * @param metadataLocation its current view metadata file
 * @param location the folder its metadata files are written under
 */
public record LogicalView(
        String id,
        TableIdentifier name,
        String metadataLocation,
        String location,
        Instant createdAt,
        Instant updatedAt) {

    LogicalView named(TableIdentifier newName) {
        return new LogicalView(id, newName, metadataLocation, location, createdAt, updatedAt);
    }

    LogicalView replaced(String newMetadataLocation, String newLocation, Instant at) {
        return new LogicalView(id, name, newMetadataLocation, newLocation, createdAt, at);
    }
}
