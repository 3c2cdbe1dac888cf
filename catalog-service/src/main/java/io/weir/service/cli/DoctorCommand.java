package io.weir.service.cli;

import io.weir.service.LakeAddress;
import io.weir.service.Stores;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.ProofResult;
import io.weir.store.StoreProof;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Proves what the store of a lake can do. */
@Command(
        name = "doctor",
        description = "Prove what the store can do: conditional writes, read-after-write, clock, latency.")
final class DoctorCommand implements Callable<Integer> {
    private static final Duration SKEW_AT_MOST = Duration.ofSeconds(10);

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = SettingsOptions.read(spec.commandLine().getParseResult());
        PrintWriter out = spec.commandLine().getOut();
        int status = 0;
        for (String lake : settings.list(Setting.LAKE)) {
            LakeAddress address = LakeAddress.parse(lake);
            out.println("lake " + address.name() + " at " + address.root());
            try (ObjectStore store = ObjectStores.open(address.root(), Stores.s3(settings))) {
                status = Math.max(status, report(StoreProof.thorough(store), out));
            }
        }
        out.flush();
        return status;
    }

    /** Prints the result and gives the exit status, 0 where a lake is safe on the store. */
    static int report(ProofResult result, PrintWriter out) {
        return switch (result) {
            case ProofResult.Proven proven -> {
                out.printf(
                        "  safe: one winner in each of %d rounds of %d concurrent writers%n",
                        proven.rounds(), proven.writers());
                out.println("  clock of the store less this machine's: " + proven.clockSkew());
                if (proven.clockSkew().abs().compareTo(SKEW_AT_MOST) > 0) {
                    out.println(
                            "  NOTE: the clocks are far apart. No commit is lost by that, but times of commits and what"
                                    + " is kept for how long are wrong by as much: set this machine's clock by NTP");
                }
                for (ProofResult.Latency latency : proven.latencies()) {
                    out.printf(
                            "  %-8s median %s, 99%% %s, slowest %s (%d times)%n",
                            latency.operation(),
                            millis(latency.median()),
                            millis(latency.p99()),
                            millis(latency.max()),
                            latency.count());
                }
                yield 0;
            }
            case ProofResult.Refuted refuted -> {
                out.println("  NOT SAFE: a lake on this store could lose commits");
                refuted.findings().forEach(finding -> out.println("  " + finding.promise() + ": " + finding.seen()));
                yield 1;
            }
            case ProofResult.Inconclusive inconclusive -> {
                out.println("  NOT KNOWN: " + inconclusive.cause().getMessage());
                yield 1;
            }
        };
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
    }
}
