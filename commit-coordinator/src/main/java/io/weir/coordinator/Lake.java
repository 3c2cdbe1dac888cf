package io.weir.coordinator;

import io.weir.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadata;

/**
 * One lake: the door to its state and its commits. Thread-safe; every method may be called from many threads at once.
 *
 * <p>Reading is holding a {@link CatalogState}: everything reached from one state is at one version. Writing is
 * {@link #commit}; there is no other way.
 */
public interface Lake extends AutoCloseable {

    /**
     * Opens the lake at the store's root, which may be empty, and leads it.
     *
     * @param derivation moves the views of the lake; {@link Derivation#none} where there are none
     */
    static Lake open(LakeOptions options, ObjectStore store, FileIO io, Derivation derivation) {
        return LiveLake.open(options, store, io, derivation);
    }

    /** The newest state on the store: for looking at a lake without leading it. */
    static CatalogState read(ObjectStore store) {
        return LakeHistory.of(store).newest();
    }

    /**
     * Shows every entry the log on the store still holds, oldest first, each with the state it is applied to: for looking
     * at a lake without leading it.
     *
     * @throws IllegalStateException where the log can not be read, or was cut off meanwhile
     */
    static void readLog(ObjectStore store, BiConsumer<CatalogState, LogEntry> seen) {
        LakeHistory.of(store).forEach(seen);
    }

    /** The name of the lake, which is its warehouse name. */
    String name();

    /** Its root URI, without a slash at the end. */
    String root();

    /** Reads and writes the lake's files. */
    FileIO io();

    /** The last durable state. */
    CatalogState state();

    /** The state at a version; empty when the log no longer, or does not yet, hold it. Reads the log where needed. */
    Optional<CatalogState> stateAt(Version version);

    /** The table's metadata as the entry names it. */
    TableMetadata metadata(TableEntry table);

    /** The logical view's metadata as the entry names it. */
    ViewMetadata metadata(LogicalView view);

    /** What the table's metadata file holds that Iceberg does not know. */
    UnknownFields unknownFields(TableEntry table);

    /** What the logical view's metadata file holds that Iceberg does not know. */
    UnknownFields unknownFields(LogicalView view);

    /** Applies the request, all of it or nothing, and returns when the outcome is certain. Blocks. */
    CommitOutcome commit(LakeRequest request);

    /**
     * What the lake would look like if {@code actions} were applied to {@code base}: for reading inside a transaction.
     * Writes nothing and decides nothing: the commit may still end otherwise.
     *
     * @throws RequestRejectedException when an action can not be applied
     */
    Preview preview(CatalogState base, List<Action> actions);

    /** A location for a new table of that name, which no table has or had. */
    String newLocation(TableIdentifier name);

    @Override
    void close();
}
