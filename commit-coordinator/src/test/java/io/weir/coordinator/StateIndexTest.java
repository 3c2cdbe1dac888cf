package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;

/** What a state finds by its index is what looking through all it holds finds, whatever led to it. */
class StateIndexTest {
    private static final List<String> LOCATIONS = List.of(
            "file:/lake/a",
            "file:///lake/a/",
            "/lake/a/inner/most",
            "/lake/a-b",
            "/lake/a.b",
            "/lake/a/../b",
            "/lake",
            "/",
            "s3://lake/a",
            "s3a://lake/a/inner",
            "s3n://lake/ab",
            "s3://lake");
    private static final List<Namespace> NAMESPACES = List.of(Namespace.of("one"), Namespace.of("one", "two"));

    private static final List<Namespace> MORE_NAMESPACES = List.of(
            Namespace.of("one"),
            Namespace.of("one", "a"),
            Namespace.of("one", "b"),
            Namespace.of("two"),
            Namespace.of("one.a"));

    @Test
    void anyHistoryOfChangesLeavesTheIndexThatTheStateHasFromNothing() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            CatalogState state = CatalogState.EMPTY;
            for (int step = 0; step < 40; step++) {
                state = StateTransition.apply(state, change(state, random));
                assertIndexed(state, "seed " + seed + ", step " + step);
            }
        }
    }

    @Test
    void namesStayTheSameObjectUntilOneComesOrGoes() {
        CatalogState one = StateTransition.apply(CatalogState.EMPTY, created("1", name(0, "t"), "/lake/t"));
        CatalogState moved = StateTransition.apply(
                one, new Change.TableMoved("1", "/lake/t/metadata/2.json", "/lake/t", Lineage.Facts.NONE));
        CatalogState elsewhere = StateTransition.apply(moved, created("2", name(1, "t"), "/lake/u"));
        assertThat(elsewhere.tableNames(NAMESPACES.get(0))).isSameAs(one.tableNames(NAMESPACES.get(0)));
        CatalogState more = StateTransition.apply(elsewhere, created("3", name(0, "s"), "/lake/s"));
        assertThat(more.tableNames(NAMESPACES.get(0))).containsExactly("s", "t");
        assertThat(one.tableNames(NAMESPACES.get(0))).containsExactly("t");
    }

    @Test
    void aLocationOfTwoOwnersIsTakenUntilBothAreGone() {
        LocationIndex both = LocationIndex.EMPTY.plus("file:/lake/t", "a").plus("/lake/t/", "b");
        assertThat(both.overlapping("/lake/t/inner", id -> !id.equals("a"))).contains("b");
        assertThat(both.minus("/lake/t", "a").overlapping("/lake/t", _ -> true)).contains("b");
        assertThat(both.minus("/lake/t", "a").minus("/lake/t", "b")).isEqualTo(LocationIndex.EMPTY);
    }

    /** One of those that the state allows. */
    private static Change change(CatalogState state, Random random) {
        String id = Long.toString(random.nextLong());
        TableIdentifier name = freeName(state, random);
        String location = any(LOCATIONS, random);
        List<Change> possible = new ArrayList<>();
        possible.add(created(id, name, location));
        possible.add(new Change.LogicalViewSet(id, name, "m" + id, location));
        Namespace namespace = any(MORE_NAMESPACES, random);
        possible.add(
                state.hasNamespace(namespace)
                        ? new Change.NamespaceDropped(namespace)
                        : new Change.NamespaceSet(namespace, Map.of("a", id)));
        if (!state.tablesById().isEmpty()) {
            String table = any(List.copyOf(state.tablesById().keySet()), random);
            possible.add(new Change.TableMoved(table, "m" + id, location, Lineage.Facts.NONE));
            possible.add(new Change.TableRenamed(table, name));
            possible.add(new Change.TableDropped(table, "someone", Instant.EPOCH, 0, 0));
            possible.add(new Change.TablePurged(table));
        }
        if (!state.dropped().isEmpty()) {
            String dropped = any(state.dropped(), random).table().id();
            possible.add(new Change.TableUndropped(dropped, name));
            possible.add(new Change.TablePurged(dropped));
        }
        if (!state.logicalViews().isEmpty()) {
            LogicalView view = any(List.copyOf(state.logicalViews().values()), random);
            possible.add(new Change.LogicalViewSet(view.id(), view.name(), "m" + id, location));
            possible.add(new Change.LogicalViewRenamed(view.name(), name));
            possible.add(new Change.LogicalViewDropped(view.name()));
        }
        return any(possible, random);
    }

    private static void assertIndexed(CatalogState state, String where) {
        for (Namespace namespace : NAMESPACES) {
            List<TableEntry> tables = state.tablesById().values().stream()
                    .filter(table -> table.name().namespace().equals(namespace))
                    .sorted((a, b) -> a.name().name().compareTo(b.name().name()))
                    .toList();
            assertThat(state.tables(namespace)).as(where).isEqualTo(tables);
            assertThat(state.tableNames(namespace))
                    .as(where)
                    .isEqualTo(new TreeSet<>(
                            tables.stream().map(table -> table.name().name()).toList()));
        }
        for (Namespace parent : List.of(Namespace.empty(), Namespace.of("one"), Namespace.of("one", "two"))) {
            List<Namespace> children = state.namespaces().keySet().stream()
                    .filter(namespace -> namespace.length() == parent.length() + 1
                            && List.of(namespace.levels())
                                    .subList(0, parent.length())
                                    .equals(List.of(parent.levels())))
                    .sorted((a, b) -> a.toString().compareTo(b.toString()))
                    .toList();
            assertThat(state.children(parent)).as(where).isEqualTo(children);
            List<LogicalView> views = state.logicalViews().values().stream()
                    .filter(view -> view.name().namespace().equals(parent))
                    .sorted((a, b) -> a.name().name().compareTo(b.name().name()))
                    .toList();
            assertThat(state.logicalViews(parent)).as(where).isEqualTo(views);
        }
        for (String location : LOCATIONS) {
            String as = where + ", " + location;
            List<TableEntry> tables = List.copyOf(state.tablesById().values());
            assertFound(
                    state.tableOverlapping(location, _ -> true).map(TableEntry::location),
                    locations(tables),
                    location,
                    as);
            tables.forEach(own -> assertFound(
                    state.tableOverlapping(location, id -> !id.equals(own.id())).map(TableEntry::location),
                    locations(tables.stream()
                            .filter(table -> !table.id().equals(own.id()))
                            .toList()),
                    location,
                    as));
            assertFound(
                    state.droppedOverlapping(location).map(TableEntry::location),
                    locations(state.dropped().stream().map(DroppedTable::table).toList()),
                    location,
                    as);
            assertFound(
                    state.logicalViewOverlapping(location).map(LogicalView::location),
                    state.logicalViews().values().stream()
                            .map(LogicalView::location)
                            .toList(),
                    location,
                    as);
        }
    }

    /** The same as by looking at each of them. */
    private static void assertFound(Optional<String> found, List<String> all, String location, String as) {
        List<String> overlapping =
                all.stream().filter(other -> Locations.overlap(location, other)).toList();
        assertThat(found.isPresent()).as(as).isEqualTo(!overlapping.isEmpty());
        found.ifPresent(one -> assertThat(overlapping).as(as).contains(one));
    }

    private static List<String> locations(List<TableEntry> tables) {
        return tables.stream().map(TableEntry::location).toList();
    }

    private static Change created(String id, TableIdentifier name, String location) {
        return new Change.TableCreated(id, name, location + "/metadata/1.json", location, Optional.empty());
    }

    private static TableIdentifier freeName(CatalogState state, Random random) {
        while (true) {
            TableIdentifier name = name(random.nextInt(NAMESPACES.size()), "n" + random.nextInt(1_000));
            if (state.table(name).isEmpty() && state.logicalView(name).isEmpty()) {
                return name;
            }
        }
    }

    private static TableIdentifier name(int namespace, String name) {
        return TableIdentifier.of(NAMESPACES.get(namespace), name);
    }

    private static <T> T any(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }
}
