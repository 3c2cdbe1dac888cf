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
import io.weir.tests.fixtures.S3Server;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** A failed test in the kit's summary. */
    private static final Pattern FAILED = Pattern.compile("MethodSource \\[.*methodName = '(\\w+)'");

    private static final Set<String> OF_LOCAL_FILES = Set.of(
            "testCompleteCreateTable",
            "testCompleteCreateTransaction",
            "testCompleteCreateTransactionV2",
            "testCompleteCreateTransactionMultipleSchemas",
            "testCompleteCreateOrReplaceTransactionCreate",
            "testCompleteCreateOrReplaceTransactionReplace",
            "testCompleteReplaceTransaction",
            "testCreateTableWithDefaultColumnValue",
            "testLoadTable",
            "testLoadTableWithMissingMetadataFile",
            "completeCreateView",
            "createAndReplaceViewWithLocation",
            "createViewWithCustomMetadataLocation",
            "updateViewLocation");

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
                FixtureProcess kit = kit(server.url(), "rck", Map.of())) {
            String summary = summary(kit);
            assertThat(kit.process().exitValue()).as(summary).isZero();
            assertThat(passed(summary)).as(summary).isGreaterThanOrEqualTo(MUST_PASS);
        }
    }

    /** The same on S3, but for those tests that use files of this machine's {@code /tmp}, which is on no S3 lake. */
    @Test
    void onS3AllTestsPassButThoseOfLocalFiles() throws InterruptedException {
        try (S3Server s3 = Fixtures.orSkip(S3Server::start)) {
            Settings settings = Settings.load(
                    Optional.empty(),
                    Map.of(),
                    Map.of(
                            Setting.LAKE, List.of("rck=" + s3.lake("rck")),
                            Setting.LISTEN, List.of("127.0.0.1:0"),
                            Setting.S3_ENDPOINT, List.of(s3.endpoint().toString()),
                            Setting.S3_ACCESS_KEY_ID, List.of(s3.accessKey()),
                            Setting.S3_SECRET_ACCESS_KEY, List.of(s3.secretKey())));
            Map<String, String> client = Map.of(
                    "CATALOG_IO__IMPL", "org.apache.iceberg.aws.s3.S3FileIO",
                    "CATALOG_S3_ACCESS__KEY__ID", s3.accessKey(),
                    "CATALOG_S3_SECRET__ACCESS__KEY", s3.secretKey());
            try (WeirServer server = WeirServer.start(settings);
                    FixtureProcess kit = kit(server.url(), "rck", client)) {
                String summary = summary(kit);
                assertThat(failed(kit.output())).as(summary).isEqualTo(OF_LOCAL_FILES);
                assertThat(kit.output().stream().filter(line -> line.contains("    => ")))
                        .hasSize(OF_LOCAL_FILES.size())
                        .allMatch(reason -> reason.contains("/tmp/"));
                assertThat(passed(summary)).as(summary).isGreaterThanOrEqualTo(MUST_PASS - OF_LOCAL_FILES.size());
            }
        }
    }

    private static String summary(FixtureProcess kit) throws InterruptedException {
        assertThat(kit.process().waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
        System.out.println(kit.tail());
        return kit.tail();
    }

    private static Set<String> failed(List<String> output) {
        return output.stream()
                .map(FAILED::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static int passed(String summary) {
        Matcher passed = PASSED.matcher(summary);
        return passed.find() ? Integer.parseInt(passed.group(1)) : 0;
    }

    private static FixtureProcess kit(URI catalog, String warehouse, Map<String, String> more) {
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
        builder.environment().putAll(more);
        return FixtureProcess.start("the compatibility kit", folder.resolve("log"), builder);
    }
}
