package io.weir.tests.bench;

import io.weir.tests.bench.LoadCase.NotComparableException;
import io.weir.tests.engines.CatalogAddress;
import io.weir.tests.engines.IcebergRestServer;
import io.weir.tests.engines.NessieServer;
import io.weir.tests.engines.PondraServer;
import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureUnavailableException;
import io.weir.tests.fixtures.S3Server;
import io.weir.tests.fixtures.WeirProcess;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Requests a catalog answers in a second, and how long each takes: Weir beside one peer at a time, in turns, on the same
 * store, with the same heap. What is compared is the catalogs' work; the store they share serves only what they ask it.
 *
 * <p>Options: {@code --rounds N}, {@code --seconds S} of a round, {@code --tables N} to list, {@code --store s3|local}
 * (not every peer takes local files), {@code --peer NAME} for one of them, {@code --case TEXT} for those cases whose
 * names hold it.
 */
final class LoadBench {
    private static final int[] CLIENTS = {1, 16, 64};
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final double CLIENT_BOUND = 0.5;

    private final Figures figures;
    private final int rounds;
    private final Duration time;
    private final int tables;
    private final Optional<S3Server> store;
    private final String chosen;
    private int skipped;

    /**
     * A server that is being measured.
     *
     * @param server to stop it by
     */
    private record Running(LoadTarget target, AutoCloseable server, Consumer<String> createNamespace) {
        static Running of(String name, long pid, CatalogAddress address, AutoCloseable server) {
            LoadTarget target = LoadTarget.of(name, pid, address);
            return new Running(target, server, target::createNamespace);
        }
    }

    private interface Start {
        Running peer();
    }

    private LoadBench(Figures figures, List<String> options, Optional<S3Server> store) {
        this.figures = figures;
        this.rounds = Integer.parseInt(option(options, "--rounds", "5"));
        this.time = Duration.ofMillis((long) (1e3 * Double.parseDouble(option(options, "--seconds", "1"))));
        this.tables = Integer.parseInt(option(options, "--tables", "10000"));
        this.chosen = option(options, "--case", "");
        this.store = store;
    }

    static void run(Figures figures, List<String> options) throws Exception {
        boolean local = option(options, "--store", "s3").equals("local");
        try (S3Server store = local ? null : S3Server.start()) {
            LoadBench bench = new LoadBench(figures, options, Optional.ofNullable(store));
            figures.printed();
            bench.compare(option(options, "--peer", ""));
        }
    }

    private static String option(List<String> options, String name, String otherwise) {
        int at = options.indexOf(name);
        return at < 0 ? otherwise : options.get(at + 1);
    }

    private void compare(String peer) throws Exception {
        Running weir = weir();
        try (AutoCloseable _ = weir.server()) {
            prepare(weir);
            if (peer.isEmpty() || peer.equals("nessie")) {
                beside(weir.target(), "nessie", this::nessie);
            }
            if (peer.isEmpty() || peer.equals("reference")) {
                beside(weir.target(), "reference", this::reference);
            }
            if (peer.isEmpty() || peer.equals("pondra")) {
                beside(weir.target(), "pondra", this::pondra);
            }
        }
        System.out.println(skipped + " skipped");
    }

    private Running weir() {
        WeirProcess weir = store.map(s3 -> WeirProcess.onS3(s3, "weir"))
                .orElseGet(() -> WeirProcess.local(Checkout.runFolder("bench-load")));
        CatalogAddress address = new CatalogAddress(URI.create(weir.url()), "", files());
        return Running.of("weir", weir.pid(), address, weir);
    }

    private Running nessie() {
        S3Server s3 = store.orElseThrow(() -> new FixtureUnavailableException("Nessie keeps no tables in local files"));
        NessieServer nessie = NessieServer.start(s3, "nessie");
        return Running.of("nessie", nessie.pid(), nessie.address(), nessie);
    }

    private Running reference() {
        S3Server s3 = store.orElseThrow(() -> new FixtureUnavailableException(
                "the reference server reaches local files through Hadoop, which this JDK no longer runs"));
        IcebergRestServer server = IcebergRestServer.start(s3.lake("reference"), s3.properties());
        return Running.of("reference", server.pid(), server.address(), server);
    }

    private Running pondra() {
        PondraServer pondra = store.map(s3 -> PondraServer.onS3(s3, "pondra"))
                .orElseGet(() -> PondraServer.local(Checkout.runFolder("bench-pondra")));
        LoadTarget target = LoadTarget.of("pondra", pondra.pid(), pondra.address());
        return new Running(target, pondra, pondra::createNamespace);
    }

    private Map<String, String> files() {
        return store.map(S3Server::properties).orElse(Map.of());
    }

    private void beside(LoadTarget weir, String name, Start start) throws Exception {
        Running peer;
        try {
            peer = start.peer();
        } catch (FixtureUnavailableException e) {
            skip(name, e.getMessage());
            return;
        }
        try (AutoCloseable _ = peer.server()) {
            prepare(peer);
            System.out.printf(
                    "%-32s %7s  %-28s  %-28s%n", "", "", "weir: req/s p50 p99 ms, µs CPU", name + ", the same");
            for (LoadCase one : LoadCase.all(tables)) {
                if (one.name().contains(chosen)) {
                    measure(one, weir, peer.target());
                }
            }
        }
    }

    private void prepare(Running running) {
        LoadTarget target = running.target();
        List.of(LoadCase.LOADED, LoadCase.MANY, LoadCase.MADE).forEach(running.createNamespace());
        target.createTables(LoadCase.LOADED, List.of(LoadCase.ONE, LoadCase.HUNDRED));
        append(target, LoadCase.ONE, 1);
        append(target, LoadCase.HUNDRED, LoadCase.SNAPSHOTS);
        long start = System.nanoTime();
        target.createTables(
                LoadCase.MANY,
                IntStream.range(0, tables)
                        .mapToObj(i -> String.format(Locale.ROOT, "table_%05d", i))
                        .toList());
        System.out.printf(
                Locale.ROOT, "%s made %d tables in %.1f s%n", target.name(), tables, (System.nanoTime() - start) / 1e9);
    }

    /** What a table then shows decides what is comparable. */
    private static void append(LoadTarget target, String table, int commits) {
        try {
            target.append(LoadCase.LOADED, table, commits);
        } catch (RuntimeException e) {
            System.out.println(
                    target.name() + " does not take " + commits + " appends to table " + table + ": " + e.getMessage());
        }
    }

    private void measure(LoadCase one, LoadTarget weir, LoadTarget peer) {
        LoadBurst.Requests ours = one.preparation().of(weir);
        try {
            LoadBurst.Requests theirs = one.preparation().of(peer);
            LoadBurst.run(weir, ours, one.status(), CLIENTS[1], WARM_UP);
            LoadBurst.run(peer, theirs, one.status(), CLIENTS[1], WARM_UP);
            for (int clients : CLIENTS) {
                List<LoadBurst> ofWeir = new ArrayList<>();
                List<LoadBurst> ofPeer = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    ofWeir.add(LoadBurst.run(weir, ours, one.status(), clients, time));
                    ofPeer.add(LoadBurst.run(peer, theirs, one.status(), clients, time));
                }
                report(one, clients, peer, LoadBurst.median(ofWeir), Optional.of(LoadBurst.median(ofPeer)));
            }
        } catch (NotComparableException e) {
            skip(one.name() + " of " + peer.name(), peer.name() + " " + e.getMessage());
            alone(one, weir, ours, peer);
        }
    }

    private void alone(LoadCase one, LoadTarget weir, LoadBurst.Requests ours, LoadTarget peer) {
        LoadBurst.run(weir, ours, one.status(), CLIENTS[1], WARM_UP);
        for (int clients : CLIENTS) {
            List<LoadBurst> ofWeir = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                ofWeir.add(LoadBurst.run(weir, ours, one.status(), clients, time));
            }
            report(one, clients, peer, LoadBurst.median(ofWeir), Optional.empty());
        }
    }

    /** @param other empty where what the peer answers is not comparable */
    private void report(LoadCase one, int clients, LoadTarget peer, LoadBurst weir, Optional<LoadBurst> other) {
        String of = one.name() + ", clients " + clients;
        add(of, "weir beside " + peer.name(), weir);
        other.ifPresent(burst -> add(of, peer.name(), burst));
        double clientShare =
                Math.max(weir.clientShare(), other.map(LoadBurst::clientShare).orElse(0.0));
        System.out.printf(
                "%-32s %7d  %-28s  %-28s%s%n",
                one.name(),
                clients,
                text(weir),
                other.map(LoadBench::text).orElse("-"),
                clientShare > CLIENT_BOUND ? "  (the client takes more than half of the machine: it bounds this)" : "");
    }

    private static String text(LoadBurst burst) {
        return String.format(
                Locale.ROOT, "%6.0f %6.2f %7.2f %6.0f", burst.perSecond(), burst.p50(), burst.p99(), burst.serverCpu());
    }

    private void add(String of, String system, LoadBurst burst) {
        figures.add(of, system, "requests, median", burst.perSecond(), "1/s");
        figures.add(of, system, "p50", burst.p50(), "ms");
        figures.add(of, system, "p99", burst.p99(), "ms");
        figures.add(of, system, "server's CPU", burst.serverCpu(), "µs/request");
        figures.add(of, system, "client's CPU", 100 * burst.clientShare(), "% of cores");
    }

    private void skip(String what, String why) {
        skipped++;
        System.out.println("skipped: " + what + ": " + why);
    }
}
