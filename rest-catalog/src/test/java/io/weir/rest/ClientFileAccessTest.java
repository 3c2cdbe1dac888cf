package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.S3Config;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClientFileAccessTest {

    @Test
    void clientsHearWhereTheStoreIsAndNoCredentials() {
        S3Config config = new S3Config(
                Optional.of(URI.create("http://127.0.0.1:9000")),
                "eu-west-1",
                Optional.of(new S3Config.Credentials("key", "very-secret", Optional.empty())),
                true,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                4);
        assertThat(ClientFileAccess.of(URI.create("s3://bucket/lake"), config))
                .containsEntry("s3.endpoint", "http://127.0.0.1:9000")
                .containsEntry("s3.path-style-access", "true")
                .containsEntry("client.region", "eu-west-1")
                .doesNotContainValue("key")
                .doesNotContainValue("very-secret");
    }

    @Test
    void aLocalLakeNeedsNothing() {
        assertThat(ClientFileAccess.of(URI.create("file:///lake"), S3Config.defaults()))
                .isEmpty();
    }
}
