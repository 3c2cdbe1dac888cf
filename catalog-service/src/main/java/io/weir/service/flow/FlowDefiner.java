package io.weir.service.flow;

import io.weir.coordinator.Action;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitOutcome.Rejected;
import io.weir.coordinator.ErrorCode;
import io.weir.coordinator.Expectation;
import io.weir.coordinator.FlowEntry;
import io.weir.coordinator.Lake;
import io.weir.coordinator.Lineage;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.TableEntry;
import io.weir.coordinator.ViewMove;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.view.Change;
import io.weir.incremental.view.OnViolation;
import io.weir.incremental.view.SourceInput;
import io.weir.incremental.view.StageOutcome;
import io.weir.incremental.view.StageRequest;
import io.weir.incremental.view.UnitOfWork;
import io.weir.incremental.view.ViewCompiler;
import io.weir.incremental.view.ViewDefinition;
import io.weir.incremental.view.ViewEngine;
import io.weir.incremental.view.ViewPlan;
import io.weir.incremental.view.ViewSettings;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Makes new views: compiles the definition and fills the view from the rows there are, beside the writers. The action it
 * gives commits the filled view; what came in meanwhile the same commit brings in.
 */
public final class FlowDefiner {
    private static final String FORMAT_VERSION = "format_version";

    private final Lake lake;
    private final ViewCompiler compiler;
    private final ViewEngine views;
    private final FileStage stage;
    private final TableReader reader;
    private final DeleteWriter deletes;

    public FlowDefiner(Lake lake, Engine engine, FileStage stage, DeleteWriter deletes) {
        this.lake = lake;
        this.compiler = new ViewCompiler(engine);
        this.views = new ViewEngine(engine, ViewSettings.standard());
        this.stage = stage;
        this.reader = new TableReader(lake.io(), stage);
        this.deletes = deletes;
    }

    /**
     * Compiles and fills.
     *
     * @param statement what makes the view again
     * @param sources by the name the query uses, qualified
     * @throws io.weir.incremental.view.ViewException when the definition can not be a view
     * @throws RequestRejectedException when the rows there are break it
     */
    public Action.CreateFlow define(
            TableIdentifier name, String statement, ViewDefinition definition, Map<String, TableIdentifier> sources) {
        CatalogState state = lake.state();
        Map<String, TableEntry> tables = new HashMap<>();
        Map<String, Schema> schemas = new HashMap<>();
        sources.forEach((used, identifier) -> state.table(identifier).ifPresent(table -> {
            tables.put(used, table);
            schemas.put(used, lake.metadata(table).schema());
        }));
        ViewPlan plan = compiler.compile(definition, schemas);
        TableMetadata metadata = TableMetadata.newTableMetadata(
                plan.schema(),
                PartitionSpec.unpartitioned(),
                lake.newLocation(name),
                Map.of("format-version", definition.options().getOrDefault(FORMAT_VERSION, "2")));
        Map<String, String> sourceIds = new HashMap<>();
        plan.sources().forEach(used -> sourceIds.put(used, tables.get(used).id()));
        FlowEntry flow = new FlowEntry(
                statement,
                plan.query(),
                sourceIds,
                Map.of(),
                plan.kind(),
                plan.refresh(),
                plan.reason(),
                definition.options(),
                plan.expectations().stream()
                        .map(e -> new Expectation(e.name(), e.condition(), onViolation(e.onViolation()), 0))
                        .toList(),
                FlowEntry.Status.CURRENT,
                state.version().number(),
                Optional.empty(),
                FlowEntry.LastMove.NONE);
        return new Action.CreateFlow(name, metadata, flow, Optional.of(fill(name, plan, metadata, flow, tables)));
    }

    private ViewMove fill(
            TableIdentifier name,
            ViewPlan plan,
            TableMetadata metadata,
            FlowEntry flow,
            Map<String, TableEntry> tables) {
        long startedAt = System.nanoTime();
        ViewFiles files = new ViewFiles(reader, stage, deletes, new LiveFiles());
        TableEntry empty = new TableEntry(
                UUID.randomUUID().toString(),
                name,
                "",
                metadata.location(),
                Lineage.EMPTY,
                Optional.of(flow),
                lake.state().committedAt(),
                lake.state().committedAt());
        ViewFiles.Target target = files.target(empty, metadata, plan.layout());
        Map<String, Long> frontier = new HashMap<>();
        Map<String, SourceInput> inputs = new HashMap<>();
        for (String used : plan.sources()) {
            TableEntry source = tables.get(used);
            TableMetadata sourceMetadata = lake.metadata(source);
            TableRows rows = reader.rows(source, sourceMetadata);
            if (sourceMetadata.currentSnapshot() != null) {
                frontier.put(source.id(), sourceMetadata.currentSnapshot().snapshotId());
            }
            inputs.put(used, new SourceInput(new Change.Everything(rows), () -> rows));
        }
        try (UnitOfWork work = views.begin()) {
            ViewMove move = switch (work.advance(new StageRequest(empty.id(), plan, inputs, target.forEngine()))) {
                case StageOutcome.Unchanged unchanged -> files.unmoved(target, unchanged, frontier, startedAt);
                case StageOutcome.Moved moved -> {
                    ViewMove filled = files.moved(
                            target,
                            moved,
                            AdoptedRanges.of(
                                    flow,
                                    plan.sources().stream().map(tables::get).toList(),
                                    Lineage.EMPTY),
                            frontier,
                            startedAt);
                    stage.publish(target.location());
                    yield filled;
                }
                case StageOutcome.Violated violated ->
                    throw new RequestRejectedException(Rejected.of(
                            ErrorCode.CHECK_VIOLATION,
                            "a row that view " + name + " would have violates check constraint \""
                                    + violated.constraint() + "\" (" + violated.condition() + "): "
                                    + violated.row(),
                            "mend the rows there are first, or let the constraint keep or drop such rows"));
                case StageOutcome.Failed failed ->
                    throw new RequestRejectedException(new Rejected(
                            ErrorCode.FLOW_FAILED,
                            failed.code(),
                            "view " + name + " can not be filled: " + failed.message(),
                            "mend the rows there are, or the query"));
            };
            files.keep();
            return move;
        } finally {
            files.forgetUnkept();
        }
    }

    private static Expectation.OnViolation onViolation(OnViolation onViolation) {
        return switch (onViolation) {
            case KEEP -> Expectation.OnViolation.KEEP;
            case DROP -> Expectation.OnViolation.DROP;
            case FAIL -> Expectation.OnViolation.FAIL;
        };
    }
}
