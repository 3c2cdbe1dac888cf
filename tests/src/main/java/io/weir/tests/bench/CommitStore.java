package io.weir.tests.bench;

import io.weir.tests.engines.CatalogAddress;
import io.weir.tests.engines.IcebergRestServer;
import io.weir.tests.engines.NessieServer;
import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureUnavailableException;
import io.weir.tests.fixtures.LatencyProxy;
import io.weir.tests.fixtures.S3Address;
import io.weir.tests.fixtures.S3Server;
import io.weir.tests.fixtures.WeirProcess;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A store that catalogs are measured on, and clients write to.
 *
 * @param address empty for local files
 * @param direct the same store without what adds latency; empty for local files
 * @param stop ends what was started for it
 */
record CommitStore(String name, Optional<S3Address> address, Optional<S3Address> direct, Runnable stop)
        implements AutoCloseable {

    /** A catalog that was started. */
    record Running(LoadTarget target, AutoCloseable server) {}

    static CommitStore local() {
        return new CommitStore("local", Optional.empty(), Optional.empty(), () -> {});
    }

    static CommitStore s3() {
        S3Server s3 = S3Server.start();
        return new CommitStore("s3", Optional.of(s3.address()), Optional.of(s3.address()), s3::close);
    }

    /** With so much time added to each request. */
    static CommitStore distant(Duration latency) {
        S3Server s3 = S3Server.start();
        LatencyProxy proxy = LatencyProxy.before(s3.endpoint(), latency);
        return new CommitStore(
                "s3 + " + latency.toMillis() + " ms",
                Optional.of(s3.address().by(proxy.address())),
                Optional.of(s3.address()),
                () -> {
                    proxy.close();
                    s3.close();
                });
    }

    /** Throws FixtureUnavailableException where the catalog can not be had on this store. */
    Running start(String system) {
        return switch (system) {
            case "weir" -> weir();
            case "nessie" -> {
                S3Address s3 = address.orElseThrow(
                        () -> new FixtureUnavailableException("Nessie keeps no tables in local files"));
                NessieServer nessie = NessieServer.start(s3, "nessie");
                yield new Running(LoadTarget.of(system, nessie.pid(), nessie.address()), nessie);
            }
            case "reference" -> {
                S3Address s3 = address.orElseThrow(() -> new FixtureUnavailableException(
                        "the reference server reaches local files through Hadoop, which this JDK no longer runs"));
                IcebergRestServer server = IcebergRestServer.start(s3.lake("reference"), s3.properties());
                yield new Running(LoadTarget.of(system, server.pid(), server.address()), server);
            }
            default ->
                throw new IllegalArgumentException(
                        "no catalog " + system + " to measure: name weir, nessie or reference");
        };
    }

    private Running weir() {
        WeirProcess weir = address.map(s3 -> WeirProcess.onS3(s3, "weir"))
                .orElseGet(() -> WeirProcess.local(Checkout.runFolder("bench-commits")));
        Map<String, String> files = address.map(S3Address::properties).orElse(Map.of());
        return new Running(
                LoadTarget.of("weir", weir.pid(), new CatalogAddress(URI.create(weir.url()), "", files)), weir);
    }

    @Override
    public void close() {
        stop.run();
    }
}
