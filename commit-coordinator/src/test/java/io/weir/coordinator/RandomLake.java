package io.weir.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** Makes up log entries of every kind of change, each possible on the state it follows. The same for the same seed. */
final class RandomLake {
    private static final List<Namespace> NAMESPACES = List.of(
            CatalogState.DEFAULT_NAMESPACE, Namespace.of("one"), Namespace.of("one", "two \n ü"), Namespace.of("a.b"));
    private static final Duration KEY_LIFETIME = Duration.ofSeconds(20);

    private final Random random;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private CatalogState state = CatalogState.EMPTY;
    private int ids;

    RandomLake(long seed) {
        this.random = new Random(seed);
    }

    CatalogState state() {
        return state;
    }

    /** The next entry, which is part of {@link #state} afterwards. */
    LogEntry next() {
        now = now.plusMillis(random.nextInt(2_000)).plusNanos(random.nextInt(3) * 1_000L);
        long epoch = Math.max(1, state.epoch() + (random.nextInt(10) == 0 ? 1 : 0));
        CatalogState reached = state.at(state.version().next(), epoch, now);
        List<Change> changes = new ArrayList<>();
        if (epoch > state.epoch()) {
            changes.add(new Change.LeaderChanged("node " + random.nextInt(3)));
        }
        for (int i = random.nextInt(5); i >= 0; i--) {
            Change change = change(reached);
            reached = StateTransition.apply(reached, change);
            changes.add(change);
        }
        LogEntry entry =
                new LogEntry(LogEntry.FORMAT, reached.version().number(), epoch, "attempt-" + ids++, now, changes);
        state = state.apply(entry);
        return entry;
    }

    private Change change(CatalogState s) {
        List<Change> possible = new ArrayList<>();
        String id = "id-" + ids++;
        String location = "s3://lake/" + id;
        Namespace namespace = any(NAMESPACES);
        possible.add(new Change.NamespaceSet(namespace, Map.of("k" + random.nextInt(3), "v" + ids)));
        possible.add(answered());
        possible.add(new Change.Recorded(List.of(commit(s), commit(s))));
        possible.add(new Change.TableCreated(id, freeName(s), location + "/metadata/1.json", location, flow(s)));
        possible.add(new Change.LogicalViewSet(id, freeName(s), location + "/metadata/1.json", location));
        List<TableEntry> tables = s.tablesById().values().stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
        if (!tables.isEmpty()) {
            TableEntry table = any(tables);
            for (int weight = 0; weight < 5; weight++) {
                possible.add(new Change.TableMoved(
                        table.id(),
                        table.location() + "/metadata/" + ids + ".json",
                        table.location(),
                        facts(s, table)));
            }
            possible.add(new Change.TableRenamed(table.id(), freeName(s)));
            possible.add(new Change.FlowSet(table.id(), flow(s)));
            table.flow().ifPresent(flow -> possible.add(moved(table, flow)));
            possible.add(new Change.TableDropped(table.id(), "someone", now.plusSeconds(60), 3, 4));
            possible.add(new Change.TablePurged(table.id()));
        }
        if (!s.dropped().isEmpty()) {
            possible.add(new Change.TableUndropped(any(s.dropped()).table().id(), freeName(s)));
            possible.add(new Change.TablePurged(any(s.dropped()).table().id()));
        }
        List<LogicalView> views = s.logicalViews().values().stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
        if (!views.isEmpty()) {
            LogicalView view = any(views);
            possible.add(new Change.LogicalViewSet(view.id(), view.name(), "m" + ids, view.location()));
            possible.add(new Change.LogicalViewRenamed(view.name(), freeName(s)));
            possible.add(new Change.LogicalViewDropped(view.name()));
        }
        if (s.hasNamespace(namespace) && s.tables(namespace).isEmpty()) {
            possible.add(new Change.NamespaceDropped(namespace));
        }
        return any(possible);
    }

    private Change answered() {
        Optional<AnsweredRequests.Refusal> refusal = random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new AnsweredRequests.Refusal(404, "NoSuchTableException", "no \"t\""));
        return new Change.RequestAnswered(
                new IdempotencyKey("key-" + random.nextInt(40), "print", now.plus(KEY_LIFETIME)), refusal);
    }

    private CommitRecord commit(CatalogState s) {
        return new CommitRecord(
                s.version().number(),
                now,
                TableIdentifier.of("one", "t"),
                "append",
                random.nextBoolean() ? Optional.of(random.nextLong()) : Optional.empty(),
                Optional.of(7L),
                Optional.empty(),
                random.nextInt(100),
                random.nextInt(100),
                "ann",
                "spark \"4\"",
                random.nextBoolean(),
                12);
    }

    private Optional<FlowEntry> flow(CatalogState s) {
        if (random.nextInt(3) > 0 || s.tablesById().isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> sources = new HashMap<>();
        Map<String, Long> frontier = new HashMap<>();
        List.copyOf(s.tablesById().keySet()).stream().sorted().limit(2).forEach(id -> {
            sources.put("name of " + id, id);
            frontier.put(id, random.nextLong());
        });
        return Optional.of(new FlowEntry(
                "CREATE …",
                "SELECT 1",
                sources,
                frontier,
                "grouped",
                "incremental",
                random.nextBoolean() ? Optional.of("why") : Optional.empty(),
                Map.of("o", "v"),
                List.of(new Expectation("e", "x > 1", Expectation.OnViolation.DROP, 3)),
                any(List.of(FlowEntry.Status.values())),
                s.version().number(),
                random.nextBoolean() ? Optional.of("broke") : Optional.empty(),
                new FlowEntry.LastMove(1, 2, 3)));
    }

    private Change moved(TableEntry table, FlowEntry flow) {
        Map<String, Long> frontier = new HashMap<>(flow.frontier());
        frontier.replaceAll((_, snapshot) -> snapshot + 1);
        return new Change.FlowMoved(table.id(), frontier, Map.of("e", 1L), new FlowEntry.LastMove(4, 5, 6));
    }

    private Lineage.Facts facts(CatalogState s, TableEntry table) {
        Lineage before = table.lineage();
        Lineage.Stamp stamp = new Lineage.Stamp(s.version().number(), now);
        long first = before.nextRowId();
        long rows = 1L + random.nextInt(50);
        long sequence = before.sequences().isEmpty() ? 1 : before.sequences().lastKey() + 1;
        Map<String, Long> files = new HashMap<>();
        for (int file = random.nextInt(3); file > 0; file--) {
            String folder = any(List.of("/data/", "/data/day=1/", "/data-", "/"));
            files.put(table.location() + folder + ids++ + any(List.of(".parquet", "/", "")), first + file);
        }
        Lineage.Stamp adopted = random.nextInt(4) == 0 ? new Lineage.Stamp(1, Instant.EPOCH) : stamp;
        return new Lineage.Facts(
                first + rows,
                List.of(new Lineage.Range(first, rows, adopted)),
                random.nextBoolean() ? Map.of(sequence, stamp) : Map.of(),
                files);
    }

    private TableIdentifier freeName(CatalogState s) {
        Set<Namespace> namespaces = s.namespaces().keySet();
        while (true) {
            Namespace namespace = any(NAMESPACES);
            TableIdentifier name = TableIdentifier.of(namespace, "n." + random.nextInt(1_000));
            if (s.table(name).isEmpty()
                    && s.logicalView(name).isEmpty()
                    && (namespaces.contains(namespace) || namespaces.isEmpty() || random.nextInt(20) == 0)) {
                return name;
            }
        }
    }

    private <T> T any(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
