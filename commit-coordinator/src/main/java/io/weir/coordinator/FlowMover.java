package io.weir.coordinator;

import io.weir.coordinator.Derivation.Pace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.Snapshot;

/**
 * Moves the views that follow what a draft changed, sources first, each from its frontier to its sources as the draft
 * leaves them. So every view that is current stays at the version of what it reads.
 *
 * <p>Going {@linkplain Pace#AHEAD ahead}, a view's step becomes part of the draft once its files are there: when all
 * views have moved, or when one that follows must read it. Used once, by one thread.
 */
final class FlowMover {
    private final CatalogState base;
    private final TableCommits tables;
    private final StagedFiles.Batch io;
    private final Derivation.Session engine;
    private final Pace pace;
    private final GroupView view;
    private final Instant startedAt;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final Set<String> moved = new HashSet<>();
    private Draft next;

    private record Pending(TableEntry entry, FlowEntry flow, Derivation.Step step) {}

    /**
     * For one draft.
     *
     * @param base the state the draft began on
     * @param startedAt when the first of the group's requests came
     */
    FlowMover(
            CatalogState base,
            TableCommits tables,
            StagedFiles.Batch io,
            Derivation.Session engine,
            Pace pace,
            GroupView view,
            Draft draft,
            Instant startedAt) {
        this.base = base;
        this.tables = tables;
        this.io = io;
        this.engine = engine;
        this.pace = pace;
        this.view = view;
        this.next = draft;
        this.startedAt = startedAt;
    }

    /** How moving the flows of a draft ended. */
    sealed interface Result {
        record Moved(Draft draft) implements Result {}

        record Refused(CommitOutcome.Rejected why) implements Result {}

        /** It does not go; step by step it will be told why. */
        record StepByStep() implements Result {}
    }

    /** Ends the moving where a step came to something else than a move. */
    private static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Result result;

        StoppedException(Result result) {
            super(null, null, false, false);
            this.result = result;
        }
    }

    Result move() {
        view.at(next);
        view.beforeRead(this::settle);
        try {
            for (String id : inOrder(next)) {
                advance(id);
            }
            while (!pending.isEmpty()) {
                settle(pending.keySet().iterator().next());
            }
            return new Result.Moved(next);
        } catch (StoppedException e) {
            return e.result;
        }
    }

    private void advance(String id) {
        TableEntry entry = next.state().tableById(id).orElseThrow();
        FlowEntry flow = entry.flow().orElseThrow();
        if (flow.status() == FlowEntry.Status.SUSPENDED || (isAtItsSources(flow) && !readsNewSchema(flow))) {
            return;
        }
        Derivation.Step step = engine.advance(entry);
        if (step.movesRows()) {
            moved.add(id);
        }
        pending.put(id, new Pending(entry, flow, step));
        if (pace == Pace.STEP_BY_STEP) {
            settle(id);
        }
    }

    /** The step of a view, where it is pending, and those before it become part of the draft. */
    private void settle(String id) {
        while (pending.containsKey(id)) {
            String first = pending.keySet().iterator().next();
            Pending settled = pending.remove(first);
            next = settled(settled);
            view.at(next);
        }
    }

    private Draft settled(Pending settled) {
        Derivation.Outcome outcome = settled.step.outcome();
        if (pace == Pace.AHEAD && !(outcome instanceof Derivation.Outcome.Moved)) {
            throw new StoppedException(new Result.StepByStep());
        }
        return switch (outcome) {
            case Derivation.Outcome.Moved step -> {
                if (step.move().movesRows() != settled.step.movesRows()) {
                    throw new IllegalStateException("the step of view " + settled.entry.name() + " was said to move "
                            + (settled.step.movesRows() ? "rows and moves none" : "no row and moves some"));
                }
                yield tables.moveView(next, settled.entry, step.move(), io, startedAt);
            }
            case Derivation.Outcome.Refused refused -> throw new StoppedException(new Result.Refused(refused.why()));
            case Derivation.Outcome.SetAside aside ->
                next.plus(new Change.FlowSet(
                        settled.entry.id(),
                        Optional.of(settled.flow.with(
                                FlowEntry.Status.SUSPENDED,
                                next.state().version().number() - 1,
                                Optional.of(aside.error())))));
        };
    }

    private boolean isAtItsSources(FlowEntry flow) {
        return flow.sources().values().stream()
                .allMatch(source -> !moved.contains(source)
                        && Objects.equals(flow.frontier().get(source), snapshotOf(next, source)));
    }

    /** A view whose sources changed their schema is looked at even if no row moved: its query may no longer stand. */
    private boolean readsNewSchema(FlowEntry flow) {
        return flow.sources().values().stream()
                .filter(next.moves()::containsKey)
                .anyMatch(source -> base.tableById(source)
                        .map(before -> tables.metadataBefore(before).currentSchemaId()
                                != next.touched().get(source).currentSchemaId())
                        .orElse(false));
    }

    private Long snapshotOf(Draft draft, String id) {
        Snapshot current = tables.metadata(draft, draft.state().tableById(id).orElseThrow())
                .currentSnapshot();
        return current == null ? null : current.snapshotId();
    }

    /** The views that may have to move: those the draft touched and all that follow, each after what it reads. */
    private static List<String> inOrder(Draft draft) {
        Set<String> reached = new HashSet<>();
        List<String> frontier = new ArrayList<>();
        for (Change change : draft.changes()) {
            switch (change) {
                case Change.TableMoved c -> frontier.add(c.id());
                case Change.TableCreated c -> frontier.add(c.id());
                case Change.FlowSet c -> frontier.add(c.id());
                case Change.TableUndropped c -> frontier.add(c.id());
                case Change.FlowMoved c -> frontier.add(c.id());
                case Change.LeaderChanged _,
                        Change.NamespaceSet _,
                        Change.NamespaceDropped _,
                        Change.TableRenamed _,
                        Change.TableDropped _,
                        Change.TablePurged _,
                        Change.RequestAnswered _,
                        Change.LogicalViewSet _,
                        Change.LogicalViewRenamed _,
                        Change.LogicalViewDropped _,
                        Change.Recorded _ -> {}
            }
        }
        while (!frontier.isEmpty()) {
            String id = frontier.removeLast();
            if (reached.add(id)) {
                draft.state().followers(id).forEach(follower -> frontier.add(follower.id()));
            }
        }
        List<String> order = new ArrayList<>();
        Map<String, Boolean> placed = new HashMap<>();
        reached.forEach(id -> place(draft, id, reached, placed, order));
        return order;
    }

    private static void place(
            Draft draft, String id, Set<String> reached, Map<String, Boolean> placed, List<String> order) {
        Optional<FlowEntry> flow = draft.state().tableById(id).flatMap(TableEntry::flow);
        if (flow.isEmpty() || placed.putIfAbsent(id, true) != null) {
            return;
        }
        flow.get().sources().values().stream()
                .filter(reached::contains)
                .forEach(source -> place(draft, source, reached, placed, order));
        order.add(id);
    }
}
