package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.tests.fixtures.Fixture;
import io.weir.tests.fixtures.FixtureProcess;
import io.weir.tests.fixtures.FixtureUnavailableException;
import io.weir.tests.fixtures.S3Server;
import io.weir.tests.fixtures.WeirServer;
import java.util.List;
import java.util.Map;

/**
 * A lake on an S3 server of its own and Weir before it, for the one test class that holds it. A machine without the S3
 * server skips its tests; a Weir that does not start fails them.
 */
final class ServedLake implements AutoCloseable {
    private final String name;
    private final Fixture<S3Server> s3 = new Fixture<>(S3Server::start);
    private WeirServer weir;

    ServedLake(String name) {
        this.name = name;
    }

    WeirServer weir() {
        if (weir == null) {
            weir = start(FixtureProcess.freePort());
        }
        return weir;
    }

    private WeirServer start(int port) {
        S3Server store = s3.get();
        try {
            return WeirServer.startAt(port, store.lake(name), store.config());
        } catch (FixtureUnavailableException e) {
            throw new IllegalStateException("Weir does not start", e);
        }
    }

    CatalogAddress address() {
        return new CatalogAddress(weir().uri(), weir().warehouse(), s3.get().properties());
    }

    /** Another server takes the place of the one there was, at the same address: it knows what the store knows. */
    void restart() {
        int port = weir().uri().getPort();
        weir.close();
        weir = start(port);
    }

    /** The names of the dropped tables of a schema that Weir keeps. */
    List<Object> dropped(String schema) {
        return weir().sql("SELECT name FROM weir.dropped WHERE schema = '" + schema + "' ORDER BY name").stream()
                .map(row -> row.get("name"))
                .toList();
    }

    /** That the flows of a schema are all up to date. */
    void assertCurrent(String schema) {
        List<Map<String, Object>> flows = weir().sql("SELECT state FROM weir.flows WHERE schema = '" + schema + "'");
        assertThat(flows).isNotEmpty().allMatch(row -> row.get("state").equals("current"));
    }

    @Override
    public void close() {
        if (weir != null) {
            weir.close();
        }
        s3.close();
    }
}
