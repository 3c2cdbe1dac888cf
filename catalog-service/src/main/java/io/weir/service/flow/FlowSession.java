package io.weir.service.flow;

import io.weir.coordinator.CommitOutcome.Rejected;
import io.weir.coordinator.Derivation;
import io.weir.coordinator.ErrorCode;
import io.weir.coordinator.FlowEntry;
import io.weir.coordinator.Lineage;
import io.weir.coordinator.TableEntry;
import io.weir.coordinator.ViewMove;
import io.weir.incremental.EngineException;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.view.Change;
import io.weir.incremental.view.SourceInput;
import io.weir.incremental.view.StageOutcome;
import io.weir.incremental.view.StageRequest;
import io.weir.incremental.view.UnitOfWork;
import io.weir.incremental.view.ViewEngine;
import io.weir.incremental.view.ViewException;
import io.weir.incremental.view.ViewPlan;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.NotFoundException;

/** The flows of one commit group: from what the group changed to what each view becomes. For the coordinator's thread. */
final class FlowSession implements Derivation.Session {
    private final Derivation.Group group;
    private final Engine engine;
    private final ViewPlans plans;
    private final TableReader reader;
    private final DeleteWriter deletes;
    private final SourceChanges changes;
    private final ViewFiles files;
    private final FlowDerivation.Views views;
    private final Derivation.Pace pace;
    private UnitOfWork work;

    private final Map<String, Moved> moved = new HashMap<>();

    /** A view moved so far, from one snapshot to another: who read up to the first takes over its change. */
    private record Moved(Long from, Schema schema) {}

    FlowSession(
            Derivation.Group group,
            Derivation.Pace pace,
            Engine engine,
            FlowDerivation.Views views,
            ViewPlans plans,
            TableReader reader,
            FileStage stage,
            DeleteWriter deletes,
            LiveFiles live) {
        this.group = group;
        this.engine = engine;
        this.plans = plans;
        this.reader = reader;
        this.deletes = deletes;
        this.changes = new SourceChanges(reader);
        this.files = new ViewFiles(reader, stage, deletes, live);
        this.views = views;
        this.pace = pace;
    }

    @Override
    public Derivation.Step advance(TableEntry view) {
        FlowEntry flow = view.flow().orElseThrow();
        try {
            return step(view, flow);
        } catch (RuntimeException e) {
            return Derivation.Step.done(stopped(view, flow, e));
        }
    }

    private Derivation.Step step(TableEntry view, FlowEntry flow) {
        long startedAt = System.nanoTime();
        ViewPlan plan = plans.plan(view.name().toString(), flow, schemas(flow));
        TableMetadata before = group.metadata(view.id());
        Optional<TableMetadata> widened = ViewColumnTypes.follow(before, plan, group.io());
        Optional<Schema> changed = widened.map(TableMetadata::schema);
        TableMetadata metadata = widened.orElse(before);
        if (changed.isPresent() && pace == Derivation.Pace.AHEAD) {
            throw new ColumnsChangedException();
        }
        ViewFiles.Target target = files.target(view, metadata, plan.layout());
        Map<String, SourceInput> inputs = inputs(flow);
        return switch (work(inputs).advance(new StageRequest(view.id(), plan, inputs, target.forEngine()))) {
            case StageOutcome.Unchanged unchanged ->
                new Later(
                        view,
                        flow,
                        false,
                        () -> with(changed, files.unmoved(target, unchanged, frontier(flow), startedAt)));
            case StageOutcome.Moved step -> {
                moved.put(view.id(), new Moved(target.snapshotBefore(), metadata.schema()));
                yield new Later(view, flow, true, () -> {
                    ViewMove move = files.moved(target, step, adopted(view, flow), frontier(flow), startedAt);
                    target.publish(group);
                    return with(changed, move);
                });
            }
            case StageOutcome.Violated violated ->
                Derivation.Step.done(new Derivation.Outcome.Refused(violation(view, violated)));
            case StageOutcome.Failed failed ->
                Derivation.Step.done(failed(
                        view,
                        flow,
                        failed.code(),
                        failed.message()
                                + failed.row()
                                        .map(row -> "; it fails on the row " + row)
                                        .orElse("")));
        };
    }

    private static ViewMove with(Optional<Schema> changed, ViewMove move) {
        return changed.map(move::with).orElse(move);
    }

    /** A view's columns change: who reads it has to see them before it moves, so the group goes step by step. */
    private static final class ColumnsChangedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ColumnsChangedException() {
            super("the columns of a view change", null, false, false);
        }
    }

    /** All stages move in one unit, chosen by the change the first has to take in. */
    private UnitOfWork work(Map<String, SourceInput> inputs) {
        if (work == null) {
            long rows = inputs.values().stream()
                    .map(SourceInput::change)
                    .mapToLong(change -> change instanceof Change.OfFiles files
                            ? files.added().recordCount() + files.removed().recordCount()
                            : 0)
                    .sum();
            ViewEngine engine = views.forChangeOf(rows);
            work = switch (pace) {
                case STEP_BY_STEP -> engine.begin();
                case AHEAD -> engine.beginAhead();
            };
        }
        return work;
    }

    /** A step whose files may still be on their way. */
    private record Later(TableEntry view, FlowEntry flow, boolean movesRows, Supplier<ViewMove> move)
            implements Derivation.Step {
        @Override
        public Derivation.Outcome outcome() {
            try {
                return new Derivation.Outcome.Moved(move.get());
            } catch (RuntimeException e) {
                return stopped(view, flow, e);
            }
        }
    }

    /** What it means that a step ended with an exception. Those that are not about the rows go on. */
    private static Derivation.Outcome stopped(TableEntry view, FlowEntry flow, RuntimeException why) {
        return switch (why) {
            case ViewException e ->
                new Derivation.Outcome.Refused(new Rejected(
                        ErrorCode.FOLLOWED,
                        e.code(),
                        "the change would break view " + view.name() + ", which follows it: " + e.getMessage(),
                        "change or drop the view first"));
            case EngineException e -> failed(view, flow, e.state().code(), e.getMessage());
            case NotFoundException e ->
                new Derivation.Outcome.Refused(Rejected.of(
                        ErrorCode.BAD_FILE,
                        "a file that view " + view.name() + " must read is not there: " + e.getMessage(),
                        "write every file of a snapshot before the commit"));
            case ColumnsChangedException e -> new Derivation.Outcome.SetAside(e.getMessage());
            case FrontierLostException e -> new Derivation.Outcome.SetAside(e.getMessage() + ": make the view again");
            default -> throw why;
        };
    }

    private static Derivation.Outcome failed(TableEntry view, FlowEntry flow, String sqlState, String message) {
        if ("suspend".equalsIgnoreCase(flow.options().get("on_error"))) {
            return new Derivation.Outcome.SetAside(message);
        }
        return new Derivation.Outcome.Refused(new Rejected(
                ErrorCode.FLOW_FAILED,
                sqlState,
                "view " + view.name() + " can not take in the change: " + message,
                "mend the rows, or set on_error = 'suspend' on the view to let commits pass without it"));
    }

    private static Rejected violation(TableEntry view, StageOutcome.Violated violated) {
        return Rejected.of(
                ErrorCode.CHECK_VIOLATION,
                "a row of view " + view.name() + " violates check constraint \"" + violated.constraint() + "\" ("
                        + violated.condition() + "): " + violated.row(),
                "leave the row out, or mend it");
    }

    private Map<String, Schema> schemas(FlowEntry flow) {
        Map<String, Schema> schemas = new HashMap<>();
        flow.sources().forEach((name, id) -> {
            Moved step = moved.get(id);
            schemas.put(name, step == null ? group.metadata(id).schema() : step.schema());
        });
        return schemas;
    }

    private Map<String, SourceInput> inputs(FlowEntry flow) {
        Map<String, SourceInput> inputs = new HashMap<>();
        flow.sources()
                .forEach((name, id) -> inputs.put(
                        name,
                        new SourceInput(
                                change(id, flow.frontier().get(id)),
                                () -> reader.rows(group.table(id), group.metadata(id)))));
        return inputs;
    }

    private Change change(String source, Long from) {
        Moved step = moved.get(source);
        if (step != null && Objects.equals(step.from(), from)) {
            return new Change.OfStage(source);
        }
        TableMetadata metadata = group.metadata(source);
        Snapshot to = metadata.currentSnapshot();
        return Objects.equals(from, to == null ? null : to.snapshotId())
                ? new Change.None()
                : changes.between(group.table(source), metadata, from, to);
    }

    private Map<String, Long> frontier(FlowEntry flow) {
        Map<String, Long> frontier = new HashMap<>();
        flow.sources().values().forEach(id -> {
            Snapshot current = group.metadata(id).currentSnapshot();
            if (current != null) {
                frontier.put(id, current.snapshotId());
            }
        });
        return frontier;
    }

    private List<Lineage.Range> adopted(TableEntry view, FlowEntry flow) {
        return AdoptedRanges.of(
                flow, flow.sources().values().stream().map(group::table).toList(), view.lineage());
    }

    @Override
    public Derivation.Superseded supersede(TableEntry table, TableMetadata current, List<DataFile> added) {
        return new KeyedRows(engine, reader, deletes).supersede(table, current, added);
    }

    @Override
    public void accept() {
        files.keep();
        if (work != null) {
            work.accept();
        }
    }

    @Override
    public void close() {
        if (work != null) {
            if (files.hasUnkept()) {
                work.await();
            }
            work.close();
        }
        files.forgetUnkept();
    }
}
