package io.weir.coordinator;

import java.util.List;
import java.util.Optional;
import org.pcollections.PVector;

/** The pure step from one {@link CatalogState} to the next. */
final class StateTransition {
    /** As many rows as {@code weir.commits} shows; older ones are in the log. */
    static final int COMMITS_KEPT = 20_000;

    private StateTransition() {}

    static CatalogState apply(CatalogState state, LogEntry entry) {
        if (entry.version() != state.version().next().number()) {
            throw new IllegalArgumentException(
                    "entry " + entry.version() + " does not follow version " + state.version());
        }
        if (entry.epoch() < state.epoch()) {
            throw new IllegalArgumentException("entry " + entry.version() + " of epoch " + entry.epoch()
                    + " follows one of epoch " + state.epoch());
        }
        CatalogState next = state.at(new Version(entry.version()), entry.epoch(), entry.committedAt());
        for (Change change : entry.changes()) {
            next = apply(next, change);
        }
        return next;
    }

    static CatalogState apply(CatalogState s, Change change) {
        return switch (change) {
            case Change.LeaderChanged c ->
                s.withLeader(new Leadership(s.version().number(), s.epoch(), c.node(), s.committedAt()));
            case Change.NamespaceSet c -> s.withNamespace(c.namespace(), c.properties());
            case Change.NamespaceDropped c -> s.withoutNamespace(c.namespace());
            case Change.TableCreated c ->
                s.withTable(new TableEntry(
                        c.id(),
                        c.name(),
                        c.metadataLocation(),
                        c.location(),
                        Lineage.EMPTY,
                        c.flow(),
                        s.committedAt(),
                        s.committedAt()));
            case Change.TableMoved c -> {
                TableEntry table = known(s, c.id());
                yield s.withTable(table.committed(
                        c.metadataLocation(), c.location(), table.lineage().plus(c.lineage()), s.committedAt()));
            }
            case Change.TableRenamed c -> s.withTable(known(s, c.id()).named(c.to()));
            case Change.TableDropped c ->
                s.withoutTable(c.id())
                        .withDropped(new DroppedTable(
                                known(s, c.id()),
                                s.committedAt(),
                                c.droppedBy(),
                                c.keptUntil(),
                                c.liveRows(),
                                c.bytes()));
            case Change.TableUndropped c -> {
                DroppedTable found = droppedWithId(s, c.id()).stream()
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("not dropped: table " + c.id()));
                yield s.withoutDropped(found).withTable(found.table().named(c.as()));
            }
            case Change.TablePurged c -> {
                CatalogState without = s.tablesById().containsKey(c.id()) ? s.withoutTable(c.id()) : s;
                for (DroppedTable dropped : droppedWithId(s, c.id())) {
                    without = without.withoutDropped(dropped);
                }
                yield without;
            }
            case Change.FlowSet c -> s.withTable(known(s, c.id()).withFlow(c.flow()));
            case Change.FlowMoved c -> {
                TableEntry view = known(s, c.id());
                yield s.withTable(view.withFlow(view.flow()
                        .map(flow ->
                                flow.moved(c.frontier(), c.broken(), s.version().number(), c.measured()))));
            }
            case Change.LogicalViewSet c -> {
                LogicalView view = s.logicalView(c.name())
                        .map(known -> known.replaced(c.metadataLocation(), c.location(), s.committedAt()))
                        .orElseGet(() -> new LogicalView(
                                c.id(),
                                c.name(),
                                c.metadataLocation(),
                                c.location(),
                                s.committedAt(),
                                s.committedAt()));
                yield s.withLogicalView(view);
            }
            case Change.LogicalViewRenamed c -> {
                LogicalView view =
                        s.logicalView(c.from()).orElseThrow(() -> new IllegalStateException("no view " + c.from()));
                yield s.withoutLogicalView(c.from()).withLogicalView(view.named(c.to()));
            }
            case Change.LogicalViewDropped c -> s.withoutLogicalView(c.name());
            case Change.RequestAnswered c ->
                s.withAnswered(s.answered()
                        .plus(
                                new AnsweredRequests.Answered(
                                        c.key(), s.version().number(), c.refusal()),
                                s.committedAt()));
            case Change.Recorded c -> s.withCommits(bounded(s.commits().plusAll(c.commits())));
        };
    }

    private static PVector<CommitRecord> bounded(PVector<CommitRecord> commits) {
        int surplus = commits.size() - COMMITS_KEPT;
        return surplus < COMMITS_KEPT / 10 ? commits : commits.subList(surplus, commits.size());
    }

    private static List<DroppedTable> droppedWithId(CatalogState state, String id) {
        return state.dropped().stream().filter(d -> d.table().id().equals(id)).toList();
    }

    private static TableEntry known(CatalogState state, String id) {
        return Optional.ofNullable(state.tablesById().get(id))
                .orElseThrow(() -> new IllegalStateException("no table " + id + " at version " + state.version()));
    }
}
