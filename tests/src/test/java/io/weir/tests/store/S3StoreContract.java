package io.weir.tests.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.store.CreateOutcome.Failed;
import io.weir.store.CreateOutcome.Unknown;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.ProofResult;
import io.weir.store.ProofResult.Proven;
import io.weir.store.S3Config;
import io.weir.store.StoreException;
import io.weir.store.StoreProof;
import io.weir.tests.fixtures.Fixture;
import io.weir.tests.fixtures.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contract on a real S3 server, and what only a network can do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class S3StoreContract extends ObjectStoreContract {
    private final S3Server.Kind kind;
    private final Fixture<S3Server> server;

    S3StoreContract(S3Server.Kind kind) {
        this.kind = kind;
        this.server = new Fixture<>(() -> S3Server.start(kind));
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Override
    ObjectStore open() {
        return ObjectStores.open(
                server.get().lake("lake-" + UUID.randomUUID()), server.get().config());
    }

    @Test
    void aListingGoesOnBeyondAPage() {
        Together.run(16, thread -> {
            IntStream.range(0, 80).forEach(i -> store().put("many/%02d-%03d".formatted(thread, i), new byte[0]));
            return thread;
        });
        List<String> all = store().list("many/", "", 5000);
        assertThat(all).hasSize(1280).isSorted();
        assertThat(store().list("many/", "", 1001)).isEqualTo(all.subList(0, 1001));
    }

    @Test
    void twentyWritersInTwentyRoundsProveTheStore() {
        ProofResult result = StoreProof.thorough(store());
        System.out.println(kind + ": " + result);
        assertThat(result).isInstanceOf(Proven.class);
    }

    @Test
    void wrongCredentialsAreACertainFailure() {
        S3Config wrong = S3Config.fromProperties(Map.of(
                "s3.endpoint", server.get().endpoint().toString(),
                "s3.access-key-id", server.get().accessKey(),
                "s3.secret-access-key", "wrong"));
        try (ObjectStore refused = ObjectStores.open(server.get().lake("x"), wrong)) {
            assertThat(refused.createIfAbsent("k", new byte[0])).isInstanceOf(Failed.class);
            assertThatThrownBy(() -> refused.put("k", new byte[0])).isInstanceOfSatisfying(StoreException.class, e -> {
                assertThat(e.code()).isEqualTo(StoreException.NO_PRIVILEGE);
                assertThat(e.maybeHappened()).isFalse();
            });
            assertThat(StoreProof.quick(refused)).isInstanceOf(ProofResult.Inconclusive.class);
        }
    }

    @Test
    void aBucketThatIsNotThereIsACertainFailure() {
        try (ObjectStore absent = ObjectStores.open(
                URI.create("s3://no-such-bucket/x"), server.get().config())) {
            assertThat(absent.createIfAbsent("k", "v".getBytes(UTF_8))).isInstanceOf(Failed.class);
            assertThatThrownBy(() -> absent.read("k")).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aServerThatNeverAnswersLeavesTheOutcomeUnknown() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ObjectStore store = storeAt(silent.getLocalPort())) {
            assertThat(store.createIfAbsent("k", new byte[0])).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void aServerThatCannotBeReachedIsACertainFailure() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (ObjectStore store = storeAt(port)) {
            assertThat(store.createIfAbsent("k", new byte[0])).isInstanceOf(Failed.class);
        }
    }

    private ObjectStore storeAt(int port) {
        S3Config config = S3Config.fromProperties(Map.of(
                        "s3.endpoint", "http://127.0.0.1:" + port,
                        "s3.access-key-id", "a",
                        "s3.secret-access-key", "b"))
                .withCallTimeout(Duration.ofMillis(300));
        return ObjectStores.open(server.get().lake("x"), config);
    }
}
