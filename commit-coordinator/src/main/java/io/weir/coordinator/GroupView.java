package io.weir.coordinator;

import java.util.function.Consumer;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/** Shows a derivation the draft as it stands. Belongs to the coordinator's thread. */
final class GroupView implements Derivation.Group {
    private final StagedFiles.Batch io;
    private final TableMetadataFiles metadataFiles;
    private Draft draft;
    private Consumer<String> beforeRead = id -> {};

    GroupView(StagedFiles.Batch io, TableMetadataFiles metadataFiles, Draft draft) {
        this.io = io;
        this.metadataFiles = metadataFiles;
        this.draft = draft;
    }

    void at(Draft newDraft) {
        this.draft = newDraft;
    }

    /** {@code settle} is told each table before it is read, and may bring the draft further. */
    void beforeRead(Consumer<String> settle) {
        this.beforeRead = settle;
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
        beforeRead.accept(id);
        return draft.state().tableById(id).orElseThrow(() -> new IllegalArgumentException("no table " + id));
    }

    @Override
    public TableMetadata metadata(String id) {
        beforeRead.accept(id);
        TableMetadata touched = draft.touched().get(id);
        return touched != null ? touched : metadataFiles.read(table(id).metadataLocation());
    }
}
