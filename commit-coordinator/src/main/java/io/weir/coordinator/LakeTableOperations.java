package io.weir.coordinator;

import java.util.List;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * Iceberg's table API on a lake: for code in this process that writes like any client. What can not be applied and will
 * not be is a {@link RequestRejectedException}; the rest are Iceberg's own exceptions. For one thread.
 */
public final class LakeTableOperations implements TableOperations {
    private final Lake lake;
    private final TableIdentifier name;
    private final Caller caller;
    private TableMetadata current;

    public LakeTableOperations(Lake lake, TableIdentifier name, Caller caller) {
        this.lake = lake;
        this.name = name;
        this.caller = caller;
    }

    @Override
    public TableMetadata current() {
        return current == null ? refresh() : current;
    }

    @Override
    public TableMetadata refresh() {
        TableEntry table =
                lake.state().table(name).orElseThrow(() -> new NoSuchTableException("table %s does not exist", name));
        current = lake.metadata(table);
        return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        List<MetadataUpdate> updates = metadata.changes();
        CommitOutcome outcome = lake.commit(LakeRequest.of(
                caller, new Action.UpdateTable(name, UpdateRequirements.forUpdateTable(base, updates), updates)));
        switch (outcome) {
            case CommitOutcome.Committed _ -> refresh();
            case CommitOutcome.Conflict conflict -> throw new CommitFailedException("%s", conflict.message());
            case CommitOutcome.Unknown unknown ->
                throw new CommitStateUnknownException(new IllegalStateException(unknown.message()));
            case CommitOutcome.Fenced _, CommitOutcome.Rejected _, CommitOutcome.Overloaded _ ->
                throw new RequestRejectedException(outcome);
        }
    }

    @Override
    public FileIO io() {
        return lake.io();
    }

    @Override
    public String metadataFileLocation(String fileName) {
        return current().location() + "/metadata/" + fileName;
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current().location(), current().properties());
    }
}
