package io.weir.coordinator;

import java.util.Optional;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * A commit group that is being put together: the state it would leave and the changes that lead there. A value: to try
 * something is to make another draft, to give it up is to forget it.
 *
 * <p>A table has one {@link Change.TableMoved} however often the group moves it, with the metadata location chosen when
 * it was first moved; what that file holds is {@link #touched}.
 *
 * @param state at the group's version; its tables' metadata locations may name files not yet written
 * @param touched the metadata of every table the group moves, by id
 * @param besides what requests brought of tables' metadata that Iceberg does not know, by id
 * @param moves where in {@code changes} a table's move is
 */
record Draft(
        CatalogState state,
        PMap<String, TableMetadata> touched,
        PVector<Change> changes,
        PMap<String, Integer> moves,
        PVector<CommitRecord> records,
        PMap<String, UnknownFields> besides)
        implements Preview {

    /** @param state the lake's, with the version and the time of the group that is to come */
    static Draft on(CatalogState state) {
        return new Draft(
                state,
                HashTreePMap.empty(),
                TreePVector.empty(),
                HashTreePMap.empty(),
                TreePVector.empty(),
                HashTreePMap.empty());
    }

    Draft plus(Change change) {
        return new Draft(StateTransition.apply(state, change), touched, changes.plus(change), moves, records, besides);
    }

    Draft record(CommitRecord commit) {
        return new Draft(state, touched, changes, moves, records.plus(commit), besides);
    }

    /** A table the group has just made has this metadata; its file is written. */
    Draft created(String id, TableMetadata metadata) {
        return new Draft(state, touched.plus(id, metadata), changes, moves, records, besides);
    }

    /** The table's metadata becomes {@code metadata}. */
    Draft move(String id, TableMetadata metadata, Lineage.Facts facts) {
        TableEntry table = state.tableById(id).orElseThrow();
        Integer index = moves.get(id);
        String location =
                index == null ? Locations.nextMetadata(table.metadataLocation(), metadata) : table.metadataLocation();
        Change.TableMoved step = new Change.TableMoved(id, location, metadata.location(), facts);
        CatalogState moved = StateTransition.apply(state, step);
        if (index == null) {
            return new Draft(
                    moved,
                    touched.plus(id, metadata),
                    changes.plus(step),
                    moves.plus(id, changes.size()),
                    records,
                    besides);
        }
        Change.TableMoved before = (Change.TableMoved) changes.get(index);
        Change.TableMoved whole = new Change.TableMoved(
                id, location, metadata.location(), before.lineage().plus(facts));
        return new Draft(moved, touched.plus(id, metadata), changes.with(index, whole), moves, records, besides);
    }

    /** What a request brought of the table's metadata that Iceberg does not know goes into its next file. */
    Draft besides(String id, UnknownFields unknown) {
        return unknown.isEmpty()
                ? this
                : new Draft(
                        state,
                        touched,
                        changes,
                        moves,
                        records,
                        besides.plus(id, besidesOf(id).plus(unknown)));
    }

    UnknownFields besidesOf(String id) {
        return besides.getOrDefault(id, UnknownFields.NONE_OF_TABLE);
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    @Override
    public Optional<TableMetadata> metadata(TableIdentifier name) {
        return Optional.ofNullable(state.idsByName().get(name)).map(touched::get);
    }
}
