package io.weir.tests.slt;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases in {@code resources/cases} on a server; where its lake is, the subclass says. */
@Tag("slt")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SltCases {
    private WeirServer server;

    /** The lake's address, and what is needed to reach it. */
    abstract Map<Setting, List<String>> lake();

    @BeforeAll
    void start() {
        Map<Setting, List<String>> flags = new EnumMap<>(lake());
        flags.put(Setting.LISTEN, List.of("127.0.0.1:0"));
        server = WeirServer.start(Settings.load(Optional.empty(), Map.of(), flags));
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    static List<Path> cases() throws IOException, URISyntaxException {
        Path cases = Path.of(SltCases.class.getResource("/cases").toURI());
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
