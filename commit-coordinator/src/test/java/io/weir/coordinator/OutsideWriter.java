package io.weir.coordinator;

import java.util.List;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * A writer outside the server: it writes a snapshot's files by its own way to the store, on the table as it last saw it,
 * and has the action to send to the lake.
 */
final class OutsideWriter implements TableOperations {
    private final TableIdentifier name;
    private final FileIO io;
    private TableMetadata current;
    private Action.UpdateTable last;

    OutsideWriter(Lake lake, TableIdentifier name, FileIO io) {
        this.name = name;
        this.io = io;
        this.current = lake.metadata(lake.state().table(name).orElseThrow());
    }

    /** An append of one file of one row, written but not sent. */
    Action.UpdateTable append() {
        table().newFastAppend().appendFile(file()).commit();
        return last;
    }

    /** What was committed to this writer's table last. */
    Action.UpdateTable last() {
        return last;
    }

    Table table() {
        return new BaseTable(this, name.toString());
    }

    DataFile file() {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(current.location() + "/data/" + UUID.randomUUID() + ".parquet")
                .withFileSizeInBytes(100)
                .withRecordCount(1)
                .build();
    }

    @Override
    public TableMetadata current() {
        return current;
    }

    @Override
    public TableMetadata refresh() {
        return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        List<MetadataUpdate> updates = metadata.changes();
        last = new Action.UpdateTable(name, UpdateRequirements.forUpdateTable(base, updates), updates);
        current = TableMetadata.buildFrom(metadata).discardChanges().build();
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    public String metadataFileLocation(String fileName) {
        return current.location() + "/metadata/" + fileName;
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current.location(), current.properties());
    }
}
