package io.weir.service.rows;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * Lets Iceberg's own table operations make a change, and keeps what they would have committed as requirements and
 * updates instead of committing it: what any client of the REST protocol sends. For one thread and one change.
 */
public final class CapturedCommit {
    private final Operations operations;
    private final TableMetadata base;

    public CapturedCommit(TableMetadata base, FileIO io) {
        this.base = TableMetadata.buildFrom(base).discardChanges().build();
        this.operations = new Operations(this.base, io);
    }

    /** The table to change: append, row delta, schema, properties. */
    public Table table() {
        return new BaseTable(operations, "table");
    }

    public TableMetadata base() {
        return base;
    }

    public TableMetadata changed() {
        return operations.current();
    }

    public List<MetadataUpdate> updates() {
        return operations.current().changes();
    }

    public List<UpdateRequirement> requirements() {
        return UpdateRequirements.forUpdateTable(base, updates());
    }

    private static final class Operations implements TableOperations {
        private final FileIO io;
        private TableMetadata current;

        private Operations(TableMetadata base, FileIO io) {
            this.current = base;
            this.io = io;
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
        public void commit(TableMetadata from, TableMetadata to) {
            current = to;
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
            return LocationProviders.locationsFor(current.location(), Map.copyOf(current.properties()));
        }
    }
}
