package io.weir.coordinator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.FileIO;

/**
 * Moves the views that follow what a draft changed, sources first, each from its frontier to its sources as the draft
 * leaves them. So every view that is current stays at the version of what it reads.
 */
final class FlowMover {
    private final CatalogState base;
    private final TableCommits tables;
    private final FileIO io;
    private final Derivation.Session engine;
    private final GroupView view;

    /** @param base the state the draft began on */
    FlowMover(CatalogState base, TableCommits tables, FileIO io, Derivation.Session engine, GroupView view) {
        this.base = base;
        this.tables = tables;
        this.io = io;
        this.engine = engine;
        this.view = view;
    }

    /** How moving the flows of a draft ended. */
    sealed interface Result {
        record Moved(Draft draft) implements Result {}

        record Refused(CommitOutcome.Rejected why) implements Result {}
    }

    Result move(Draft draft, Instant startedAt) {
        Draft next = draft;
        for (String id : inOrder(draft)) {
            TableEntry entry = next.state().tableById(id).orElseThrow();
            FlowEntry flow = entry.flow().orElseThrow();
            if (flow.status() == FlowEntry.Status.SUSPENDED
                    || (isAtItsSources(next, flow) && !readsNewSchema(next, flow))) {
                continue;
            }
            view.at(next);
            switch (engine.advance(entry)) {
                case Derivation.Outcome.Moved moved -> next = tables.moveView(next, entry, moved.move(), io, startedAt);
                case Derivation.Outcome.Refused refused -> {
                    return new Result.Refused(refused.why());
                }
                case Derivation.Outcome.SetAside aside ->
                    next = next.plus(new Change.FlowSet(
                            id,
                            Optional.of(flow.with(
                                    FlowEntry.Status.SUSPENDED,
                                    draft.state().version().number() - 1,
                                    Optional.of(aside.error())))));
            }
        }
        return new Result.Moved(next);
    }

    private boolean isAtItsSources(Draft draft, FlowEntry flow) {
        return flow.sources().values().stream()
                .allMatch(source -> Objects.equals(flow.frontier().get(source), snapshotOf(draft, source)));
    }

    /** A view whose sources changed their schema is looked at even if no row moved: its query may no longer stand. */
    private boolean readsNewSchema(Draft draft, FlowEntry flow) {
        return flow.sources().values().stream()
                .filter(draft.moves()::containsKey)
                .anyMatch(source -> base.tableById(source)
                        .map(before -> tables.metadataBefore(before).currentSchemaId()
                                != draft.touched().get(source).currentSchemaId())
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
