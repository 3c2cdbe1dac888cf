package io.weir.tests.bench;

import io.weir.tests.bench.CommitStore.Running;
import io.weir.tests.fixtures.FixtureUnavailableException;
import io.weir.tests.fixtures.S3Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Commits a second, how long each takes and the conflicts clients see, when writers that know nothing of each other append:
 * Weir beside its peers, in turns, on a local lake, on an S3 server and on one at a distance. After each run the files in
 * the tables are compared with the commits acknowledged.
 *
 * <p>Options: {@code --writers 1,8,32,64}, {@code --only one-table,own-tables,empty,raw}, {@code --store local,s3,distant},
 * {@code --system weir,nessie,reference}, {@code --seconds S} of a run, {@code --latency MS} of the distant store,
 * {@code --raw-clients N} and {@code --raw-commits N} of each.
 */
final class CommitBench {
    private static final int TABLES = 64;
    private static final int RACERS = 32;
    private static final int RACES = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private final Figures figures;
    private final List<Integer> writers;
    private final List<String> shapes;
    private final List<String> stores;
    private final List<String> systems;
    private final Duration time;
    private final Duration latency;
    private final int rawClients;
    private final int rawCommits;
    private int namespaces;
    private int skipped;
    private int wrong;

    /** A catalog with its writers. */
    private record Measured(LoadTarget target, CommitWriters writers, AutoCloseable server) {}

    private CommitBench(Figures figures, List<String> options) {
        this.figures = figures;
        this.writers = list(options, "--writers", "1,8,32,64").stream()
                .map(Integer::valueOf)
                .toList();
        this.shapes = list(options, "--only", "one-table,own-tables,empty,raw");
        this.stores = list(options, "--store", "local,s3,distant");
        this.systems = list(options, "--system", "weir,nessie,reference");
        this.time = Duration.ofMillis((long) (1e3 * Double.parseDouble(option(options, "--seconds", "10"))));
        this.latency = Duration.ofMillis(Long.parseLong(option(options, "--latency", "60")));
        this.rawClients = Integer.parseInt(option(options, "--raw-clients", "256"));
        this.rawCommits = Integer.parseInt(option(options, "--raw-commits", "20"));
    }

    static void run(Figures figures, List<String> options) throws Exception {
        CommitBench bench = new CommitBench(figures, options);
        figures.printed();
        System.out.printf(
                "%-12s %-11s %7s  %-10s %10s %9s %9s %10s  %s%n",
                "store", "case", "writers", "system", "commits/s", "p50 ms", "p99 ms", "conflicts", "files");
        for (String store : bench.stores) {
            bench.on(store);
        }
        System.out.println(bench.skipped + " skipped");
        if (bench.wrong > 0) {
            throw new IllegalStateException("Weir's tables hold other files than were acknowledged: see above");
        }
    }

    private static String option(List<String> options, String name, String otherwise) {
        int at = options.indexOf(name);
        return at < 0 ? otherwise : options.get(at + 1);
    }

    private static List<String> list(List<String> options, String name, String otherwise) {
        return List.of(option(options, name, otherwise).split(","));
    }

    private void on(String name) throws Exception {
        List<Measured> running = new ArrayList<>();
        try (CommitStore store = store(name)) {
            try {
                start(store, running);
                for (String shape : shapes) {
                    measure(shape, store, running);
                }
            } finally {
                for (Measured one : running) {
                    one.writers.close();
                    one.server.close();
                }
            }
        }
    }

    private CommitStore store(String name) {
        return switch (name) {
            case "local" -> CommitStore.local();
            case "s3" -> CommitStore.s3();
            case "distant" -> CommitStore.distant(latency);
            default -> throw new IllegalArgumentException("no store " + name + ": name local, s3 or distant");
        };
    }

    private void start(CommitStore store, List<Measured> running) {
        for (String system : systems) {
            try {
                Running started = store.start(system);
                Measured measured =
                        new Measured(started.target(), new CommitWriters(started.target()), started.server());
                running.add(measured);
                measured.writers.run(Collections.nCopies(4, tables(measured, 1).get(0)), WARM_UP);
            } catch (FixtureUnavailableException e) {
                skipped++;
                System.out.println("skipped: " + system + " on " + store.name() + ": " + e.getMessage());
            }
        }
    }

    private List<TableIdentifier> tables(Measured measured, int count) {
        String namespace = "n" + namespaces++;
        measured.target.createNamespace(namespace);
        return measured.writers.tables(namespace, count);
    }

    private void measure(String shape, CommitStore store, List<Measured> running) {
        switch (shape) {
            case "one-table" ->
                perWriters(
                        shape,
                        store,
                        running,
                        (one, count) ->
                                Collections.nCopies(count, tables(one, 1).get(0)));
            case "own-tables" -> perWriters(shape, store, running, this::tables);
            case "empty" -> running.forEach(one -> races(store, one));
            case "raw" ->
                running.stream().filter(one -> one.target.name().equals("weir")).forEach(one -> raw(store, one));
            default ->
                throw new IllegalArgumentException("no case " + shape + ": name one-table, own-tables, empty or raw");
        }
    }

    private interface Tables {
        /** The table of each writer. */
        List<TableIdentifier> of(Measured measured, int writers);
    }

    private void perWriters(String shape, CommitStore store, List<Measured> running, Tables tables) {
        for (int count : writers) {
            for (Measured one : running) {
                List<TableIdentifier> names = tables.of(one, count);
                report(store, shape, count, one.target, one.writers.run(names, time), names);
            }
        }
    }

    /** Each writer's first commit, on a table without a snapshot, at the same moment. */
    private void races(CommitStore store, Measured one) {
        for (int race = 0; race < RACES; race++) {
            List<TableIdentifier> names =
                    Collections.nCopies(RACERS, tables(one, 1).get(0));
            report(store, "empty", RACERS, one.target, one.writers.run(names, Duration.ZERO), names);
        }
    }

    private void raw(CommitStore store, Measured one) {
        List<TableIdentifier> names = tables(one, TABLES);
        List<TableIdentifier> perClient = new ArrayList<>();
        for (int client = 0; client < rawClients; client++) {
            perClient.add(names.get(client % TABLES));
        }
        Map<String, String> files = store.direct().map(S3Address::properties).orElse(Map.of());
        CommitRun run =
                RawCommits.prepare(one.target, perClient, rawCommits, files).run();
        report(store, "raw", rawClients, one.target, run, perClient);
    }

    private void report(
            CommitStore store,
            String shape,
            int count,
            LoadTarget target,
            CommitRun run,
            List<TableIdentifier> tables) {
        List<String> present = CommitWriters.files(target, new HashSet<>(tables));
        Set<String> distinct = new HashSet<>(present);
        long lost = run.lost(distinct);
        long unexpected = run.unexpected(distinct) + present.size() - distinct.size();
        if (target.name().equals("weir") && lost + unexpected > 0) {
            wrong++;
        }
        System.out.printf(
                Locale.ROOT,
                "%-12s %-11s %7d  %-10s %10.1f %9.0f %9.0f %10d  %s%n",
                store.name(),
                shape,
                count,
                target.name(),
                run.perSecond(),
                run.p50(),
                run.p99(),
                run.conflicts(),
                verdict(run, lost, unexpected));
        String of = store.name() + ", " + shape + ", writers " + count;
        Map<String, Double> plain = new LinkedHashMap<>();
        plain.put("conflicts", (double) run.conflicts());
        plain.put("acknowledged", (double) run.acknowledged().size());
        plain.put("given up", (double) run.failed());
        plain.put("unknown", (double) run.unknown().size());
        plain.put("acknowledged and lost", (double) lost);
        plain.put("not acknowledged and there", (double) unexpected);
        figures.add(of, target.name(), "commits", run.perSecond(), "1/s");
        Optional.of(run).filter(ended -> !ended.millis().isEmpty()).ifPresent(ended -> {
            figures.add(of, target.name(), "p50", ended.p50(), "ms");
            figures.add(of, target.name(), "p99", ended.p99(), "ms");
        });
        plain.forEach((metric, value) -> figures.add(of, target.name(), metric, value, "1"));
    }

    private static String verdict(CommitRun run, long lost, long unexpected) {
        String exact = lost + unexpected == 0
                ? run.acknowledged().size() + " acknowledged, exact"
                : lost + " of " + run.acknowledged().size() + " acknowledged lost, " + unexpected
                        + " there that were not acknowledged";
        return exact
                + (run.failed() > 0 ? ", " + run.failed() + " given up" : "")
                + (run.unknown().isEmpty() ? "" : ", " + run.unknown().size() + " unknown");
    }
}
