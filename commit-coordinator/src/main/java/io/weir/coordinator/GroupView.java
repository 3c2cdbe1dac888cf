package io.weir.coordinator;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/** Shows a derivation the draft as it stands. Belongs to the coordinator's thread. */
final class GroupView implements Derivation.Group {
    private final StagedFiles.Batch io;
    private final TableMetadataFiles metadataFiles;
    private Draft draft;

    GroupView(StagedFiles.Batch io, TableMetadataFiles metadataFiles, Draft draft) {
        this.io = io;
        this.metadataFiles = metadataFiles;
        this.draft = draft;
    }

    void at(Draft newDraft) {
        this.draft = newDraft;
    }

    @Override
    public Version version() {
        return draft.state().version();
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    public void beforeEntry(Runnable write) {
        io.beside(write);
    }

    @Override
    public TableEntry table(String id) {
        return draft.state().tableById(id).orElseThrow(() -> new IllegalArgumentException("no table " + id));
    }

    @Override
    public TableMetadata metadata(String id) {
        TableMetadata touched = draft.touched().get(id);
        return touched != null ? touched : metadataFiles.read(table(id).metadataLocation());
    }
}
