package io.weir.coordinator;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** One fact of a {@link LogEntry}. Decided, not asked: applying one can not fail on a state it was made for. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Change.LeaderChanged.class, name = "leader"),
    @JsonSubTypes.Type(value = Change.NamespaceSet.class, name = "namespace-set"),
    @JsonSubTypes.Type(value = Change.NamespaceDropped.class, name = "namespace-dropped"),
    @JsonSubTypes.Type(value = Change.TableCreated.class, name = "table-created"),
    @JsonSubTypes.Type(value = Change.TableMoved.class, name = "table-moved"),
    @JsonSubTypes.Type(value = Change.TableRenamed.class, name = "table-renamed"),
    @JsonSubTypes.Type(value = Change.TableDropped.class, name = "table-dropped"),
    @JsonSubTypes.Type(value = Change.TableUndropped.class, name = "table-undropped"),
    @JsonSubTypes.Type(value = Change.TablePurged.class, name = "table-purged"),
    @JsonSubTypes.Type(value = Change.FlowSet.class, name = "flow-set"),
    @JsonSubTypes.Type(value = Change.FlowMoved.class, name = "flow-moved"),
    @JsonSubTypes.Type(value = Change.LogicalViewSet.class, name = "view-set"),
    @JsonSubTypes.Type(value = Change.LogicalViewRenamed.class, name = "view-renamed"),
    @JsonSubTypes.Type(value = Change.LogicalViewDropped.class, name = "view-dropped"),
    @JsonSubTypes.Type(value = Change.RequestAnswered.class, name = "answered"),
    @JsonSubTypes.Type(value = Change.Recorded.class, name = "commit"),
})
public sealed interface Change {

    /** A new leader's first entry: cuts off every earlier one. */
    record LeaderChanged(String node) implements Change {}

    record NamespaceSet(Namespace namespace, Map<String, String> properties) implements Change {
        public NamespaceSet {
            properties = Map.copyOf(properties);
        }
    }

    record NamespaceDropped(Namespace namespace) implements Change {}

    record TableCreated(
            String id, TableIdentifier name, String metadataLocation, String location, Optional<FlowEntry> flow)
            implements Change {}

    /** The table has a new metadata file. */
    record TableMoved(String id, String metadataLocation, String location, Lineage.Facts lineage) implements Change {}

    record TableRenamed(String id, TableIdentifier to) implements Change {}

    record TableDropped(String id, String droppedBy, Instant keptUntil, long liveRows, long bytes) implements Change {}

    record TableUndropped(String id, TableIdentifier as) implements Change {}

    /** Dropped for good: its files are no longer the lake's. */
    record TablePurged(String id) implements Change {}

    /** Empty: the view is detached, an ordinary table from now on. */
    record FlowSet(String id, Optional<FlowEntry> flow) implements Change {}

    /** The view has taken in its sources up to {@code frontier}; {@code broken} adds to its expectations' counts. */
    record FlowMoved(String id, Map<String, Long> frontier, Map<String, Long> broken, FlowEntry.LastMove measured)
            implements Change {}

    /** A logical view is made, or has a new metadata file. */
    record LogicalViewSet(String id, TableIdentifier name, String metadataLocation, String location)
            implements Change {}

    record LogicalViewRenamed(TableIdentifier from, TableIdentifier to) implements Change {}

    record LogicalViewDropped(TableIdentifier name) implements Change {}

    /** A request with a key is answered for good; with the same key it is not done again. */
    record RequestAnswered(IdempotencyKey key, Optional<AnsweredRequests.Refusal> refusal) implements Change {}

    record Recorded(List<CommitRecord> commits) implements Change {
        public Recorded {
            commits = List.copyOf(commits);
        }
    }
}
