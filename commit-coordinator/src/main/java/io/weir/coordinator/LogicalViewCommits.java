package io.weir.coordinator;

import static io.weir.coordinator.Refusals.rejected;

import io.weir.coordinator.CommitOutcome.Conflict;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadata;

/**
 * Changes to logical views. A new version of a view is put on top of whatever it has become: a version says all of the
 * view, so nothing of another's is lost by it but its place as the current one.
 */
final class LogicalViewCommits {
    private final FileIO io;
    private final ViewMetadataFiles files;
    private final BiConsumer<Draft, Namespace> requireNamespace;

    /**
     * For one group.
     *
     * @param io where new metadata files go
     */
    LogicalViewCommits(FileIO io, ViewMetadataFiles files, BiConsumer<Draft, Namespace> requireNamespace) {
        this.io = io;
        this.files = files;
        this.requireNamespace = requireNamespace;
    }

    Draft create(Draft draft, Action.CreateView action) {
        checkNewName(draft, action.name());
        return set(
                draft,
                UUID.randomUUID().toString(),
                action.name(),
                action.metadata(),
                action.besides(),
                Optional.empty());
    }

    Draft update(Draft draft, Action.UpdateView action) {
        LogicalView view = existing(draft, action.name());
        ViewMetadata base = files.read(view.metadataLocation());
        ViewMetadata changed;
        try {
            for (UpdateRequirement requirement : action.requirements()) {
                requirement.validate(base);
            }
            ViewMetadata.Builder builder = ViewMetadata.buildFrom(base);
            for (MetadataUpdate update : action.updates()) {
                update.applyTo(builder);
            }
            changed = builder.build();
        } catch (CommitFailedException e) {
            throw new RequestRejectedException(new Conflict(e.getMessage()));
        } catch (UnsupportedOperationException
                | IllegalArgumentException
                | IllegalStateException
                | ValidationException e) {
            throw rejected(
                    ErrorCode.VALIDATION,
                    "view " + action.name() + " can not be changed so: " + e.getMessage(),
                    "send updates that views have, on the view as it is now");
        }
        return changed.changes().isEmpty()
                ? draft
                : set(draft, view.id(), action.name(), changed, action.besides(), Optional.of(view.metadataLocation()));
    }

    private Draft set(
            Draft draft,
            String id,
            TableIdentifier name,
            ViewMetadata metadata,
            MarkedVersions besides,
            Optional<String> previous) {
        checkLocation(draft, metadata.location(), name);
        checkLocation(draft, ViewMetadataFiles.folder(metadata), name);
        UnknownFields unknown =
                previous.map(files::unknown).orElse(UnknownFields.NONE_OF_VIEW).plus(besides.in(metadata));
        String file = ViewMetadataFiles.write(metadata, unknown, previous.orElse(""), io);
        return draft.plus(new Change.LogicalViewSet(id, name, file, metadata.location()));
    }

    Draft drop(Draft draft, Action.DropView action) {
        return draft.plus(
                new Change.LogicalViewDropped(existing(draft, action.name()).name()));
    }

    Draft rename(Draft draft, Action.RenameView action) {
        existing(draft, action.from());
        if (action.from().equals(action.to())) {
            return draft;
        }
        requireNamespace.accept(draft, action.to().namespace());
        if (draft.state().logicalView(action.to()).isPresent()) {
            throw rejected(
                    ErrorCode.TABLE_EXISTS,
                    "Cannot rename " + action.from() + " to " + action.to() + ". View already exists",
                    "choose another name");
        }
        if (draft.state().table(action.to()).isPresent()) {
            throw rejected(
                    ErrorCode.TABLE_EXISTS,
                    "Cannot rename " + action.from() + " to " + action.to() + ". Table already exists",
                    "choose another name");
        }
        return draft.plus(new Change.LogicalViewRenamed(action.from(), action.to()));
    }

    Draft register(Draft draft, Action.RegisterView action) {
        checkNewName(draft, action.name());
        ViewMetadata metadata;
        try {
            metadata = files.read(action.metadataLocation());
        } catch (RuntimeException e) {
            throw rejected(
                    ErrorCode.BAD_FILE,
                    "metadata file " + action.metadataLocation() + " can not be read: " + e.getMessage(),
                    "name a view's current metadata file, where the catalog can read it");
        }
        checkLocation(draft, metadata.location(), action.name());
        return draft.plus(new Change.LogicalViewSet(
                UUID.randomUUID().toString(), action.name(), action.metadataLocation(), metadata.location()));
    }

    private static LogicalView existing(Draft draft, TableIdentifier name) {
        return draft.state()
                .logicalView(name)
                .orElseThrow(() -> rejected(ErrorCode.NO_SUCH_VIEW, "View does not exist: " + name, "check the name"));
    }

    private void checkNewName(Draft draft, TableIdentifier name) {
        requireNamespace.accept(draft, name.namespace());
        if (draft.state().logicalView(name).isPresent()) {
            throw rejected(ErrorCode.TABLE_EXISTS, "View already exists: " + name, "choose another name");
        }
        if (draft.state().table(name).isPresent()) {
            throw rejected(
                    ErrorCode.TABLE_EXISTS, "Table with same name already exists: " + name, "choose another name");
        }
    }

    /** A table's maintenance removes what it does not know under the table's location: a view's files are not for it. */
    private static void checkLocation(Draft draft, String location, TableIdentifier name) {
        draft.state().tableOverlapping(location, _ -> true).ifPresent(table -> {
            throw rejected(
                    ErrorCode.LOCATION_TAKEN,
                    "location " + location + " of view " + name + " overlaps that of table " + table.name() + ", "
                            + table.location(),
                    "leave the location out, and the catalog gives one of its own");
        });
    }
}
