package io.weir.coordinator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.view.ViewMetadata;

/** One thing a {@link LakeRequest} asks for. Iceberg's open types come in here, and only here. */
public sealed interface Action {

    record CreateNamespace(Namespace namespace, Map<String, String> properties) implements Action {
        public CreateNamespace {
            properties = Map.copyOf(properties);
        }
    }

    record UpdateNamespace(Namespace namespace, Map<String, String> updates, Set<String> removals) implements Action {
        public UpdateNamespace {
            updates = Map.copyOf(updates);
            removals = Set.copyOf(removals);
        }
    }

    /** Refused while the namespace holds anything. */
    record DropNamespace(Namespace namespace) implements Action {}

    /**
     * Makes a table. {@code metadata} is whole but for its file: no metadata location. Its location must be one that
     * {@link Lake#newLocation} gave, or one of the caller's that no other table has.
     */
    record CreateTable(TableIdentifier name, TableMetadata metadata) implements Action {}

    /**
     * A commit to a table as the Iceberg REST protocol has it. With the requirement that the table does not exist
     * (assert-create), it makes the table from its updates.
     *
     * @param besides fields of what the updates add that Iceberg does not know
     */
    record UpdateTable(
            TableIdentifier name,
            List<UpdateRequirement> requirements,
            List<MetadataUpdate> updates,
            UnknownFields besides)
            implements Action {
        public UpdateTable {
            requirements = List.copyOf(requirements);
            updates = List.copyOf(updates);
        }

        public UpdateTable(TableIdentifier name, List<UpdateRequirement> requirements, List<MetadataUpdate> updates) {
            this(name, requirements, updates, UnknownFields.NONE_OF_TABLE);
        }

        /** Whether the snapshots it adds are more than Iceberg knows of them. */
        boolean hasUnknownSnapshots() {
            return besides.held().has("snapshots");
        }
    }

    /** Keeps the table for its retention ({@code weir.retention}); with {@code now} it can not be brought back. */
    record DropTable(TableIdentifier name, boolean now) implements Action {}

    record RenameTable(TableIdentifier from, TableIdentifier to) implements Action {}

    /** Brings back what was dropped last under the name, under its own or another name. */
    record UndropTable(TableIdentifier name, Optional<TableIdentifier> as) implements Action {}

    /**
     * Takes in a table whose metadata file already stands.
     *
     * @param overwrite in place of the table that has the name, which is dropped, if there is one
     */
    record RegisterTable(TableIdentifier name, String metadataLocation, boolean overwrite) implements Action {}

    /** Keeps what a request with a key was refused with, so that it is refused so again. */
    record RecordRefusal(AnsweredRequests.Refusal refusal) implements Action {}

    /**
     * Makes a logical view. {@code metadata} is whole but for its file.
     *
     * @param besides fields of its versions that Iceberg does not know
     */
    record CreateView(TableIdentifier name, ViewMetadata metadata, MarkedVersions besides) implements Action {}

    /**
     * A commit to a logical view as the Iceberg REST protocol has it.
     *
     * @param besides fields of the versions it adds that Iceberg does not know
     */
    record UpdateView(
            TableIdentifier name,
            List<UpdateRequirement> requirements,
            List<MetadataUpdate> updates,
            MarkedVersions besides)
            implements Action {
        public UpdateView {
            requirements = List.copyOf(requirements);
            updates = List.copyOf(updates);
        }
    }

    record DropView(TableIdentifier name) implements Action {}

    record RenameView(TableIdentifier from, TableIdentifier to) implements Action {}

    /** Takes in a logical view whose metadata file already stands. */
    record RegisterView(TableIdentifier name, String metadataLocation) implements Action {}

    /**
     * Makes a materialized view, with the rows it was filled with. Where its sources have moved on since the fill, the
     * same commit brings it up to them.
     *
     * @param metadata the view's own table, empty, as for {@link CreateTable}
     */
    record CreateFlow(TableIdentifier name, TableMetadata metadata, FlowEntry flow, Optional<ViewMove> fill)
            implements Action {}

    /** Refused while something follows the view. */
    record DropFlow(TableIdentifier name) implements Action {}

    /** Leaves the view's rows as an ordinary table. */
    record DetachFlow(TableIdentifier name) implements Action {}

    record SuspendFlow(TableIdentifier name) implements Action {}

    /** The view moves again, from its frontier on, in this commit. */
    record ResumeFlow(TableIdentifier name) implements Action {}
}
