package io.weir.coordinator;

import java.util.function.Consumer;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * Iceberg's own way to make a snapshot, on metadata that is nobody's yet: what it "commits" is kept, to become part of a
 * draft. Used once, by one thread.
 */
final class DraftOperations implements TableOperations {
    private final FileIO io;
    private final long snapshotId;
    private TableMetadata current;

    private DraftOperations(TableMetadata base, long snapshotId, FileIO io) {
        this.current = base;
        this.snapshotId = snapshotId;
        this.io = io;
    }

    /** The metadata after one more snapshot on main, of the given id. */
    static TableMetadata addSnapshot(TableMetadata base, long snapshotId, FileIO io, Consumer<RowDelta> content) {
        DraftOperations operations = new DraftOperations(base, snapshotId, io);
        RowDelta delta = new BaseTable(operations, base.uuid()).newRowDelta();
        if (base.currentSnapshot() != null) {
            delta.scanManifestsWith(SameThread.forManifests(
                    base.currentSnapshot().allManifests(io).size()));
            // Without it every deletion vector there ever was counts as one that came in meanwhile.
            delta.validateFromSnapshot(base.currentSnapshot().snapshotId());
        }
        content.accept(delta);
        delta.commit();
        return TableMetadata.buildFrom(operations.current).discardChanges().build();
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
        current = metadata;
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

    @Override
    public long newSnapshotId() {
        return snapshotId;
    }
}
