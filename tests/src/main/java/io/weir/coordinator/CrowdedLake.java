package io.weir.coordinator;

import io.weir.coordinator.CommitLog.Appended;
import io.weir.store.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * Puts a lake of many tables with a long history on a store as a server would have left it: a checkpoint, the start of the
 * log, and the entries since. In the coordinator's package because nobody else may write a log by hand. The tables'
 * own files are not there: a start does not read them.
 */
public final class CrowdedLake {
    private static final int NAMESPACES = 200;
    private static final int LEADERS = 40;
    private static final int TABLES_IN_AN_ENTRY = 4;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final String root;
    private final int tables;
    private final long commits;

    private CrowdedLake(String root, int tables, long commits) {
        this.root = root;
        this.tables = tables;
        this.commits = commits;
    }

    /**
     * Writes the lake on an empty store.
     *
     * @param commits spread evenly over the tables, one to an entry
     * @param tail entries behind the checkpoint, each of commits to a few tables
     */
    public static void write(ObjectStore store, int tables, int commits, int tail) {
        new CrowdedLake(store.root(), tables, commits).write(store, tail);
    }

    /** The name of a namespace that has tables. */
    public static String namespace(int number) {
        return "team_" + number % NAMESPACES;
    }

    private void write(ObjectStore store, int tail) {
        CatalogState state = state();
        new Checkpoints(store).write(state);
        new LogStart(store).advance(state.version().number());
        CommitLog log = new CommitLog(store);
        for (int i = 0; i < tail; i++) {
            LogEntry entry = entry(state, i);
            if (!(log.append(entry) instanceof Appended.Done)) {
                throw new IllegalStateException("entry " + entry.version() + " could not be written");
            }
            state = state.apply(entry);
        }
    }

    private CatalogState state() {
        CheckpointAssembly assembly = new CheckpointAssembly();
        for (int i = 0; i < NAMESPACES; i++) {
            assembly.add(new CheckpointLine.OfNamespace(Namespace.of(namespace(i)), Map.of("owner", "team " + i)));
        }
        for (int i = 0; i < tables; i++) {
            assembly.add(new CheckpointLine.OfTable(table(i), lineage(i)));
        }
        for (long version = commits - StateTransition.COMMITS_KEPT + 1; version <= commits; version++) {
            assembly.add(new CheckpointLine.OfCommit(commit(version, (int) (version % tables))));
        }
        for (int i = 0; i < LEADERS; i++) {
            long version = 1 + i * commits / LEADERS;
            assembly.add(new CheckpointLine.OfLeader(new Leadership(version, i + 1L, "server-" + i, at(version))));
        }
        return assembly.state(new CheckpointCodec.Header(commits, LEADERS, at(commits), List.of()));
    }

    private CheckpointLine.Table table(int number) {
        String location = location(number);
        long last = commits - tables + number;
        return new CheckpointLine.Table(
                id(number),
                name(number),
                location + "/metadata/00009-" + unlike(number, last) + ".metadata.json",
                location,
                Optional.empty(),
                at(number),
                at(last));
    }

    private Lineage lineage(int number) {
        TreeMap<Long, Lineage.Range> ranges = new TreeMap<>();
        TreeMap<Long, Lineage.Stamp> sequences = new TreeMap<>();
        Map<String, Long> files = new HashMap<>();
        long rows = 0;
        for (long version = number, sequence = 1; version < commits; version += tables, sequence++) {
            Lineage.Stamp stamp = new Lineage.Stamp(version, at(version));
            ranges.put(rows, new Lineage.Range(rows, 1_000, stamp));
            sequences.put(sequence, stamp);
            files.put(file(number, version), rows);
            rows += 1_000;
        }
        return Lineage.of(new Lineage.Parts(
                rows, TreePMap.fromSortedMap(ranges), TreePMap.fromSortedMap(sequences), HashTreePMap.from(files)));
    }

    private LogEntry entry(CatalogState state, int number) {
        long version = state.version().next().number();
        Instant at = at(version);
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < TABLES_IN_AN_ENTRY; i++) {
            int table = (int) ((version * 7_919 + i * 104_729L) % tables);
            TableEntry before = state.tableById(id(table)).orElseThrow();
            Lineage.Stamp stamp = new Lineage.Stamp(version, at);
            long first = before.lineage().nextRowId();
            changes.add(new Change.TableMoved(
                    id(table),
                    before.location() + "/metadata/00010-" + unlike(table, version) + ".metadata.json",
                    before.location(),
                    new Lineage.Facts(
                            first + 1_000,
                            List.of(new Lineage.Range(first, 1_000, stamp)),
                            Map.of(version, stamp),
                            Map.of(file(table, version), first))));
            changes.add(new Change.Recorded(List.of(commit(version, table))));
        }
        return new LogEntry(LogEntry.FORMAT, version, state.epoch(), "attempt-" + number, at, changes);
    }

    private static CommitRecord commit(long version, int table) {
        return new CommitRecord(
                version,
                at(version),
                name(table),
                "append",
                Optional.of((version * 0x9E3779B97F4A7C15L) >>> 1),
                Optional.of(version),
                Optional.of(version * 1_000),
                1_000,
                0,
                "ann",
                "spark",
                version % 3 == 0,
                12);
    }

    private static Instant at(long version) {
        return BEGIN.plus(Duration.ofMillis(version * 997));
    }

    private static TableIdentifier name(int number) {
        return TableIdentifier.of(Namespace.of(namespace(number)), "readings_" + number);
    }

    private static String id(int number) {
        return unlike(number, 0);
    }

    private String location(int number) {
        return root + "/" + namespace(number) + "/readings_" + number + "-"
                + unlike(number, 1).substring(24);
    }

    private String file(int number, long version) {
        return location(number) + "/data/" + unlike(number, version) + ".parquet";
    }

    /** As hard to compress as the random names there would be. */
    private static String unlike(long a, long b) {
        long high = mixed(a * 31 + b);
        long low = mixed(high + b);
        return String.format(
                Locale.ROOT,
                "%08x-%04x-%04x-%04x-%012x",
                high >>> 32,
                high >>> 16 & 0xffff,
                high & 0xffff,
                low >>> 48,
                low & 0xffffffffffffL);
    }

    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
