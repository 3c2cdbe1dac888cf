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
    private final UnitOfWork work;

    /** For each view moved so far, the snapshot it had before: who read up to that one takes over its change. */
    private final Map<String, Moved> moved = new HashMap<>();

    private record Moved(Long from) {}

    FlowSession(
            Derivation.Group group,
            Engine engine,
            ViewEngine views,
            ViewPlans plans,
            TableReader reader,
            FileStage stage,
            DeleteWriter deletes) {
        this.group = group;
        this.engine = engine;
        this.plans = plans;
        this.reader = reader;
        this.deletes = deletes;
        this.changes = new SourceChanges(reader);
        this.files = new ViewFiles(reader, stage, deletes);
        this.work = views.begin();
    }

    @Override
    public Derivation.Outcome advance(TableEntry view) {
        FlowEntry flow = view.flow().orElseThrow();
        long startedAt = System.nanoTime();
        try {
            ViewPlan plan = plans.plan(view.name().toString(), flow, schemas(flow));
            TableMetadata metadata = group.metadata(view.id());
            ViewFiles.Target target = files.target(view, metadata);
            StageOutcome outcome = work.advance(new StageRequest(view.id(), plan, inputs(flow), target.forEngine()));
            return switch (outcome) {
                case StageOutcome.Unchanged unchanged ->
                    new Derivation.Outcome.Moved(files.unmoved(target, unchanged, frontier(flow), startedAt));
                case StageOutcome.Moved step -> {
                    ViewMove move = files.moved(target, step, adopted(view, flow), frontier(flow), startedAt);
                    moved.put(view.id(), new Moved(target.snapshotBefore()));
                    target.publish(group);
                    yield new Derivation.Outcome.Moved(move);
                }
                case StageOutcome.Violated violated -> new Derivation.Outcome.Refused(violation(view, violated));
                case StageOutcome.Failed failed ->
                    failed(
                            view,
                            flow,
                            failed.code(),
                            failed.message()
                                    + failed.row()
                                            .map(row -> "; it fails on the row " + row)
                                            .orElse(""));
            };
        } catch (ViewException e) {
            return new Derivation.Outcome.Refused(new Rejected(
                    ErrorCode.FOLLOWED,
                    e.code(),
                    "the change would break view " + view.name() + ", which follows it: " + e.getMessage(),
                    "change or drop the view first"));
        } catch (EngineException e) {
            return failed(view, flow, e.state().code(), e.getMessage());
        } catch (NotFoundException e) {
            return new Derivation.Outcome.Refused(Rejected.of(
                    ErrorCode.BAD_FILE,
                    "a file that view " + view.name() + " must read is not there: " + e.getMessage(),
                    "write every file of a snapshot before the commit"));
        } catch (FrontierLostException e) {
            return new Derivation.Outcome.SetAside(e.getMessage() + ": make the view again");
        }
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
        flow.sources()
                .forEach((name, id) -> schemas.put(name, group.metadata(id).schema()));
        return schemas;
    }

    private Map<String, SourceInput> inputs(FlowEntry flow) {
        Map<String, SourceInput> inputs = new HashMap<>();
        flow.sources().forEach((name, id) -> {
            TableEntry source = group.table(id);
            TableMetadata metadata = group.metadata(id);
            inputs.put(
                    name,
                    new SourceInput(
                            change(source, metadata, flow.frontier().get(id)), () -> reader.rows(source, metadata)));
        });
        return inputs;
    }

    private Change change(TableEntry source, TableMetadata metadata, Long from) {
        Snapshot to = metadata.currentSnapshot();
        Long toId = to == null ? null : to.snapshotId();
        if (Objects.equals(from, toId)) {
            return new Change.None();
        }
        Moved step = moved.get(source.id());
        return step != null && Objects.equals(step.from(), from)
                ? new Change.OfStage(source.id())
                : changes.between(source, metadata, from, to);
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
        work.accept();
    }

    @Override
    public void close() {
        work.close();
        files.forgetUnkept();
    }
}
