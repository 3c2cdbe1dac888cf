package io.weir.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    Path folder;

    @Test
    void withNothingGivenEverySettingHasItsDefault() {
        Settings settings = Settings.load(Optional.empty(), Map.of(), Map.of());

        for (Setting setting : Setting.values()) {
            assertThat(settings.list(setting)).containsExactly(setting.defaultValue());
        }
        assertThat(settings.port(Setting.LISTEN)).isEqualTo(8181);
        assertThat(settings.bytes(Setting.ENGINE_MEMORY)).isEqualTo(1L << 30);
        assertThat(settings.duration(Setting.RETENTION)).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void flagsRankAboveTheEnvironmentAndThatAboveTheFile() throws IOException {
        Path file = write("listen: 127.0.0.1:1\nsql:\n  attempts: 3\n  timeout: 9 s\nengine.threads: 4\n");
        Settings settings = Settings.load(
                Optional.of(file),
                Map.of("WEIR_LISTEN", "127.0.0.1:2", "WEIR_SQL_ATTEMPTS", "5", "HOME", "/"),
                Map.of(Setting.LISTEN, List.of("127.0.0.1:3")));

        assertThat(settings.port(Setting.LISTEN)).isEqualTo(3);
        assertThat(settings.integer(Setting.STATEMENT_ATTEMPTS)).isEqualTo(5);
        assertThat(settings.duration(Setting.STATEMENT_TIMEOUT)).isEqualTo(Duration.ofSeconds(9));
        assertThat(settings.integer(Setting.ENGINE_THREADS)).isEqualTo(4);
    }

    @Test
    void lakesMayBeAList() throws IOException {
        Settings settings = Settings.load(Optional.of(write("lake: [a=./a, b=./b]")), Map.of(), Map.of());

        assertThat(settings.list(Setting.LAKE)).containsExactly("a=./a", "b=./b");
    }

    @Test
    void anUnknownKeyNamesTheNearestKnownOne() throws IOException {
        Path file = write("s3:\n  endpiont: http://x\n");

        assertThatThrownBy(() -> Settings.load(Optional.of(file), Map.of(), Map.of()))
                .hasMessageContaining("s3.endpiont is not a setting. Did you mean s3.endpoint?");
        assertThatThrownBy(() -> Settings.load(Optional.empty(), Map.of("WEIR_LISTN", "x"), Map.of()))
                .hasMessageContaining("Did you mean WEIR_LISTEN?");
    }

    @Test
    void aValueOfTheWrongTypeIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> Settings.load(Optional.empty(), Map.of("WEIR_ENGINE_MEMORY", "lots"), Map.of()))
                .hasMessage("environment variable WEIR_ENGINE_MEMORY: \"lots\" is not a size (KB, MB, GB)."
                        + " The default is 1 GB.");
        assertThatThrownBy(() ->
                        Settings.load(Optional.empty(), Map.of(), Map.of(Setting.LISTEN, List.of("127.0.0.1:99999"))))
                .hasMessageContaining("flag --listen");
    }

    @Test
    void aFileThatIsNoYamlIsRefused() throws IOException {
        Path file = write("listen: [");

        assertThatThrownBy(() -> Settings.load(Optional.of(file), Map.of(), Map.of()))
                .hasMessageContaining("is not YAML");
    }

    @Test
    void theDocumentationHoldsTheTableOfAllSettings() throws IOException {
        Path documentation = Path.of("../docs/settings.md");

        assertThat(Files.readString(documentation)).contains(Setting.documentation());
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(folder.resolve("weir.yaml"), yaml);
    }
}
