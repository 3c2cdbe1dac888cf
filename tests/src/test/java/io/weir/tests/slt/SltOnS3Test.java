package io.weir.tests.slt;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.tests.fixtures.Fixture;
import io.weir.tests.fixtures.S3Server;
import io.weir.tests.fixtures.WeirServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases in {@code resources/cases} on a server process whose lake is on a real S3 server. */
@Tag("slt")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SltOnS3Test {
    private final Fixture<S3Server> s3 = new Fixture<>(S3Server::start);
    private final Fixture<WeirServer> weir = new Fixture<>(() ->
            WeirServer.start(s3.get().lake("slt-" + UUID.randomUUID()), s3.get().config()));

    @AfterAll
    void stop() {
        weir.close();
        s3.close();
    }

    static List<Path> cases() throws IOException, URISyntaxException {
        return SltCases.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRecordOfTheCaseHolds(Path file) throws IOException, InterruptedException {
        assertThat(new SltRunner(weir.get().uri()).run(file)).isEmpty();
    }
}
