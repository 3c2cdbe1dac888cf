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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** Tests there are, less those that the kit aborts or skips (docs/rest.md): a kit that runs nothing fails nothing. */
    private static final int MUST_PASS = 147;

    private static final Pattern PASSED = Pattern.compile("(\\d+) tests successful");

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
            assertThat(passed(kit.tail())).as(kit.tail()).isGreaterThanOrEqualTo(MUST_PASS);
        }
    }

    private static int passed(String summary) {
        Matcher passed = PASSED.matcher(summary);
        return passed.find() ? Integer.parseInt(passed.group(1)) : 0;
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
