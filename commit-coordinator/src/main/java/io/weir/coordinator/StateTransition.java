package io.weir.coordinator;

import java.util.Optional;
import org.pcollections.PVector;

/** The pure step from one {@link CatalogState} to the next. */
final class StateTransition {
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
        CatalogState next = new CatalogState(
                new Version(entry.version()),
                entry.epoch(),
                entry.committedAt(),
                state.namespaces(),
                state.tablesById(),
                state.idsByName(),
                state.dropped(),
                state.commits());
        for (Change change : entry.changes()) {
            next = apply(next, change);
        }
        return next;
    }

    static CatalogState apply(CatalogState s, Change change) {
        return switch (change) {
            case Change.LeaderChanged _ -> s;
            case Change.NamespaceSet c -> withNamespaces(s, s.namespaces().plus(c.namespace(), c.properties()));
            case Change.NamespaceDropped c -> withNamespaces(s, s.namespaces().minus(c.namespace()));
            case Change.TableCreated c ->
                put(
                        s,
                        new TableEntry(
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
                yield put(
                        s,
                        table.committed(
                                c.metadataLocation(),
                                c.location(),
                                table.lineage().plus(c.lineage()),
                                s.committedAt()));
            }
            case Change.TableRenamed c ->
                put(remove(s, c.id()), known(s, c.id()).named(c.to()));
            case Change.TableDropped c ->
                withDropped(
                        remove(s, c.id()),
                        s.dropped()
                                .plus(new DroppedTable(
                                        known(s, c.id()),
                                        s.committedAt(),
                                        c.droppedBy(),
                                        c.keptUntil(),
                                        c.liveRows(),
                                        c.bytes())));
            case Change.TableUndropped c -> {
                DroppedTable found = s.dropped().stream()
                        .filter(d -> d.table().id().equals(c.id()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("not dropped: table " + c.id()));
                yield put(
                        withDropped(s, s.dropped().minus(found)), found.table().named(c.as()));
            }
            case Change.TablePurged c -> {
                PVector<DroppedTable> kept = s.dropped()
                        .minusAll(s.dropped().stream()
                                .filter(d -> d.table().id().equals(c.id()))
                                .toList());
                yield withDropped(s.tablesById().containsKey(c.id()) ? remove(s, c.id()) : s, kept);
            }
            case Change.FlowSet c -> put(s, known(s, c.id()).withFlow(c.flow()));
            case Change.Recorded c ->
                new CatalogState(
                        s.version(),
                        s.epoch(),
                        s.committedAt(),
                        s.namespaces(),
                        s.tablesById(),
                        s.idsByName(),
                        s.dropped(),
                        s.commits().plusAll(c.commits()));
        };
    }

    private static TableEntry known(CatalogState state, String id) {
        return Optional.ofNullable(state.tablesById().get(id))
                .orElseThrow(() -> new IllegalStateException("no table " + id + " at version " + state.version()));
    }

    private static CatalogState put(CatalogState s, TableEntry table) {
        return new CatalogState(
                s.version(),
                s.epoch(),
                s.committedAt(),
                s.namespaces(),
                s.tablesById().plus(table.id(), table),
                s.idsByName().plus(table.name(), table.id()),
                s.dropped(),
                s.commits());
    }

    private static CatalogState remove(CatalogState s, String id) {
        TableEntry table = known(s, id);
        return new CatalogState(
                s.version(),
                s.epoch(),
                s.committedAt(),
                s.namespaces(),
                s.tablesById().minus(id),
                s.idsByName().minus(table.name()),
                s.dropped(),
                s.commits());
    }

    private static CatalogState withNamespaces(
            CatalogState s,
            org.pcollections.PMap<org.apache.iceberg.catalog.Namespace, java.util.Map<String, String>> namespaces) {
        return new CatalogState(
                s.version(),
                s.epoch(),
                s.committedAt(),
                namespaces,
                s.tablesById(),
                s.idsByName(),
                s.dropped(),
                s.commits());
    }

    private static CatalogState withDropped(CatalogState s, PVector<DroppedTable> dropped) {
        return new CatalogState(
                s.version(),
                s.epoch(),
                s.committedAt(),
                s.namespaces(),
                s.tablesById(),
                s.idsByName(),
                dropped,
                s.commits());
    }
}
