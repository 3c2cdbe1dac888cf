package io.weir.tests.slt;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases in {@code resources/cases}, each on a server with a local lake. */
@Tag("slt")
class SltOnLocalLakeTest {
    @TempDir
    static Path folder;

    private static WeirServer server;

    @BeforeAll
    static void start() {
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + folder.resolve("lake")),
                        Setting.LISTEN, List.of("127.0.0.1:0"))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<Path> cases() throws IOException, URISyntaxException {
        Path cases = Path.of(SltOnLocalLakeTest.class.getResource("/cases").toURI());
        try (Stream<Path> files = Files.list(cases)) {
            return files.filter(file -> file.toString().endsWith(".slt"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRecordOfTheCaseHolds(Path file) throws IOException, InterruptedException {
        assertThat(new SltRunner(server.url()).run(file)).isEmpty();
    }
}
