package io.weir.service.cli;

import io.weir.coordinator.CatalogState;
import io.weir.coordinator.Change;
import io.weir.coordinator.CommitRecord;
import io.weir.coordinator.DroppedTable;
import io.weir.coordinator.LogEntry;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A log entry as {@code ./weir log} shows it: a line for each thing it did. */
final class LogLines {
    private static final String NOT_SAID = "-";

    private LogLines() {}

    /** @param before the state the entry is applied to, which has the names of what it drops and renames */
    static List<String> of(CatalogState before, LogEntry entry) {
        return entry.changes().stream()
                .flatMap(change -> lines(before, entry, change))
                .toList();
    }

    private static Stream<String> lines(CatalogState before, LogEntry entry, Change change) {
        return switch (change) {
            case Change.Recorded c -> c.commits().stream().map(LogLines::commit);
            case Change.LeaderChanged c -> one(entry, c.node(), "leads, epoch " + entry.epoch());
            case Change.NamespaceSet c ->
                one(
                        entry,
                        NOT_SAID,
                        (before.hasNamespace(c.namespace()) ? "properties of namespace " : "create namespace ")
                                + c.namespace());
            case Change.NamespaceDropped c -> one(entry, NOT_SAID, "drop namespace " + c.namespace());
            case Change.TableCreated c ->
                one(entry, NOT_SAID, (c.flow().isPresent() ? "create materialized view " : "create table ") + c.name());
            case Change.TableRenamed c -> one(entry, NOT_SAID, "rename " + name(before, c.id()) + " to " + c.to());
            case Change.TableDropped c ->
                one(entry, c.droppedBy(), "drop " + name(before, c.id()) + ", kept until " + c.keptUntil());
            case Change.TableUndropped c -> one(entry, NOT_SAID, "undrop " + c.as());
            case Change.TablePurged c -> one(entry, NOT_SAID, "purge " + name(before, c.id()));
            case Change.FlowSet c ->
                one(
                        entry,
                        NOT_SAID,
                        c.flow()
                                        .map(flow -> "view is "
                                                + flow.status().name().toLowerCase(Locale.ROOT) + ": ")
                                        .orElse("detach ")
                                + name(before, c.id()));
            case Change.LogicalViewSet c ->
                one(
                        entry,
                        NOT_SAID,
                        (before.logicalView(c.name()).isPresent() ? "replace view " : "create view ") + c.name());
            case Change.LogicalViewRenamed c -> one(entry, NOT_SAID, "rename view " + c.from() + " to " + c.to());
            case Change.LogicalViewDropped c -> one(entry, NOT_SAID, "drop view " + c.name());
            // What these did is in the entry's records, or seen by nobody.
            case Change.TableMoved _, Change.FlowMoved _, Change.RequestAnswered _ -> Stream.empty();
        };
    }

    private static String commit(CommitRecord commit) {
        return String.format(
                Locale.ROOT,
                "%6d  %s  %-12s %-24s %s %s +%d -%d",
                commit.version(),
                commit.committedAt(),
                commit.author(),
                commit.engine(),
                commit.operation(),
                commit.table(),
                commit.addedRows(),
                commit.deletedRows());
    }

    private static Stream<String> one(LogEntry entry, String who, String what) {
        return Stream.of(String.format(
                Locale.ROOT, "%6d  %s  %-12s %-24s %s", entry.version(), entry.committedAt(), who, NOT_SAID, what));
    }

    /** A table that the entry itself made has no name before it. */
    private static String name(CatalogState before, String id) {
        return before.tableById(id)
                .or(() -> before.dropped().stream()
                        .map(DroppedTable::table)
                        .filter(table -> table.id().equals(id))
                        .findFirst())
                .map(table -> table.name().toString())
                .orElse("table " + id);
    }
}
