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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void credentialsMayComeFromAnywhereAndAreSeveral() throws IOException {
        List<String> two = List.of("ann:read:one", "bob:admin:t:wo");
        Optional<Path> file = Optional.of(write("auth:\n  tokens:\n  - ann:read:one\n  - bob:admin:t:wo\n"));

        assertThat(Settings.load(file, Map.of(), Map.of()).given(Setting.AUTH_TOKENS))
                .isEqualTo(two);
        assertThat(Settings.load(Optional.empty(), Map.of("WEIR_AUTH_TOKENS", "ann:read:one, bob:admin:t:wo"), Map.of())
                        .given(Setting.AUTH_TOKENS))
                .isEqualTo(two);
        assertThat(Settings.load(Optional.empty(), Map.of(), Map.of(Setting.AUTH_TOKENS, two))
                        .given(Setting.AUTH_TOKENS))
                .isEqualTo(two);
        assertThat(Settings.load(Optional.empty(), Map.of(), Map.of()).given(Setting.AUTH_TOKENS))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "hush-hush", "ann:hush-hush", "ann:owner:hush-hush", ":read:hush-hush", "ann:read:hush hush"
            })
    void credentialsThatAreNoneAreRefusedWithoutBeingShown(String value) {
        assertThatThrownBy(() -> Settings.load(Optional.empty(), Map.of("WEIR_AUTH_CLIENTS", value), Map.of()))
                .hasMessage("environment variable WEIR_AUTH_CLIENTS: a value of auth.clients does not fit:"
                        + " list of NAME:ROLE:SECRET (role: read, write or admin), never shown");
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
