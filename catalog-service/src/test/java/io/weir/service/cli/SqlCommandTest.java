package io.weir.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.Main;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./weir sql} as a process of its own, which has the environment variables it is given. */
class SqlCommandTest {
    private static final String REFUSED = "ERROR 28000: this server wants a bearer token";

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
                        Setting.LISTEN, List.of("127.0.0.1:0"),
                        Setting.AUTH_TOKENS, List.of("ann:read:good-token"))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theTokenComesFromTheOption() throws Exception {
        assertThat(sql(Map.of(), "--token", "good-token")).contains("41");
        assertThat(sql(Map.of("WEIR_TOKEN", "other"), "--token", "good-token")).contains("41");
    }

    @Test
    void theTokenComesFromTheEnvironment() throws Exception {
        assertThat(sql(Map.of("WEIR_TOKEN", "good-token"))).contains("41");
        assertThat(sql(Map.of("WEIR_TOKEN", "other"))).contains("ERROR 28000: the bearer token is unknown");
    }

    @Test
    void withoutATokenTheServerSaysWhatItWants() throws Exception {
        assertThat(sql(Map.of())).contains(REFUSED, "WEIR_TOKEN");
        assertThat(sql(Map.of("WEIR_TOKEN", ""))).contains(REFUSED);
    }

    private static String sql(Map<String, String> environment, String... options) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "sql",
                "--url",
                server.url().toString()));
        command.addAll(List.of(options));
        command.add("SELECT 40 + 1 AS n");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("WEIR_TOKEN");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
