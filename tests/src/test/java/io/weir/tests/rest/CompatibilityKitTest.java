package io.weir.tests.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.tests.fixtures.Checkout;
import io.weir.tests.fixtures.FixtureJars;
import io.weir.tests.fixtures.FixtureProcess;
import io.weir.tests.fixtures.Fixtures;
import io.weir.tests.fixtures.Jdk;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Iceberg's REST Compatibility Kit, unchanged and in a process of its own, against a running server.
 *
 * <p>The kit makes tables at fixed locations again and again and commits files of any path, which this catalog refuses
 * unless a table allows it; so its client asks for the two table properties that do.
 */
@Tag("rck")
class CompatibilityKitTest {
    private static final long LIMIT_MINUTES = 10;

    @TempDir
    private Path lake;

    @Test
    void allTestsPass() throws InterruptedException {
        Settings settings = Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("rck=" + lake.toUri()),
                        Setting.LISTEN, List.of("127.0.0.1:0")));
        try (WeirServer server = WeirServer.start(settings);
                FixtureProcess kit = kit(server.url(), "rck")) {
            assertThat(kit.process().waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
            System.out.println(kit.tail());
            assertThat(kit.process().exitValue()).as(kit.tail()).isZero();
        }
    }

    private static FixtureProcess kit(URI catalog, String warehouse) {
        Path folder = Checkout.runFolder("rck");
        ProcessBuilder builder = new ProcessBuilder(
                        Jdk.current().toString(),
                        "-Xmx512m",
                        "-Drck.local=false",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        Fixtures.orSkip(() -> FixtureJars.resolve("rck")) + "/*",
                        "org.junit.platform.console.ConsoleLauncher",
                        "execute",
                        "--select-class=org.apache.iceberg.rest.RESTCompatibilityKitSuite",
                        "--details=summary",
                        "--disable-banner")
                .directory(folder.toFile());
        builder.environment()
                .putAll(Map.of(
                        "CATALOG_URI", catalog.toString(),
                        "CATALOG_WAREHOUSE", warehouse,
                        "CATALOG_RCK_REQUIRES__NAMESPACE__CREATE", "true",
                        "CATALOG_RCK_SUPPORTS__NAMES__WITH__DOT", "true",
                        "CATALOG_TABLE__DEFAULT_WEIR_EXTRA__LOCATIONS", "*",
                        "CATALOG_TABLE__DEFAULT_WEIR_ALLOW__LOCATION__OVERLAP", "true"));
        return FixtureProcess.start("the compatibility kit", folder.resolve("log"), builder);
    }
}
