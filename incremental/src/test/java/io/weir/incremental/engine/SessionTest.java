package io.weir.incremental.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.incremental.EngineException;
import io.weir.incremental.SystemColumns;
import io.weir.incremental.TableRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionTest extends EngineFixture {
    private String json(String sql) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Rows rows = session.query(sql)) {
            JsonRows.array(rows, out);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void rowsAreWrittenAsJson() throws IOException {
        assertThat(json("SELECT 1 AS i, 170141183460469231731687303715884105727::HUGEINT AS h, 1.50::DECIMAL(9,2) AS d,"
                        + " 0.5 AS e, 1.5::DOUBLE AS f, 'nan'::DOUBLE AS n, '-inf'::FLOAT AS m, true AS b, NULL AS z"))
                .isEqualTo("[{\"i\":1,\"h\":170141183460469231731687303715884105727,\"d\":\"1.50\",\"e\":\"0.5\","
                        + "\"f\":1.5,\"n\":\"NaN\",\"m\":\"-Infinity\",\"b\":true,\"z\":null}]");
        assertThat(json("SELECT TIMESTAMP '2026-01-02 03:04:00' AS a, TIMESTAMPTZ '2026-01-02 03:04:05.000006+01' AS b,"
                        + " DATE '2026-01-02' AS c, TIME '03:04:00' AS d, 'ab'::BLOB AS e"))
                .isEqualTo("[{\"a\":\"2026-01-02T03:04:00\",\"b\":\"2026-01-02T02:04:05.000006Z\",\"c\":\"2026-01-02\","
                        + "\"d\":\"03:04:00\",\"e\":\"YWI=\"}]");
        assertThat(json("SELECT [1, NULL] AS l, {a: 'x', b: {c: 1.5}} AS s, MAP {'k': DATE '2026-01-02'} AS m, 1 AS l,"
                        + " '{\"j\": 1}'::JSON AS j"))
                .isEqualTo("[{\"l\":[1,null],\"s\":{\"a\":\"x\",\"b\":{\"c\":\"1.5\"}},\"m\":{\"k\":\"2026-01-02\"},"
                        + "\"l_1\":1,\"j\":\"{\\\"j\\\": 1}\"}]");
        assertThat(json("SELECT 1 AS x WHERE false")).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "22003 | SELECT 9223372036854775807::BIGINT + 1::BIGINT",
                "22003 | SELECT 300::TINYINT",
                "22003 | SELECT 1e300::FLOAT",
                "22003 | SELECT sum(x)::BIGINT FROM (VALUES (9223372036854775807::BIGINT), (1)) t(x)",
                "22P02 | SELECT 'abc'::INTEGER",
                "22P02 | SELECT 'abc'::DATE",
                "42601 | SELECT 1 +",
                "42P01 | SELECT * FROM nope",
                "42P01 | SELECT x.a FROM range(3) AS r(a)",
                "42703 | SELECT nope FROM range(3) AS r(a)",
                "42883 | SELECT nope(1)",
                "42883 | SELECT 'a' + [1]",
                "42704 | SELECT 1::nope",
                "42803 | SELECT a, count(*) FROM range(3) AS r(a)",
                "42702 | SELECT a FROM range(3) AS r(a), range(3) AS s(a)",
                "42501 | SELECT * FROM read_text('/etc/passwd')",
                "22000 | SELECT error('boom')",
                "22000 | SELECT error('weir:nothing:x')",
                "22000 | SELECT error('weir:')",
            })
    void errorsCarryTheirState(String code, String sql) {
        assertThatThrownBy(() -> all(sql)).isInstanceOfSatisfying(EngineException.class, e -> {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
            assertThat(e.getMessage()).doesNotContain("LINE 1").doesNotContain("pending query");
        });
    }

    @Test
    void aStatementEndsAtItsDeadlineAndTheSessionGoesOn() {
        try (EngineSession brief = engine.session(Duration.ofMillis(200))) {
            assertThatThrownBy(() -> brief.query("SELECT count(*) FROM range(100000) a, range(100000) b WHERE a.range"
                                    + " + b.range = 7")
                            .all())
                    .isInstanceOfSatisfying(
                            EngineException.class, e -> assertThat(e.code()).isEqualTo("57014"));
            assertThat(brief.query("SELECT 1").all()).containsExactly(List.of(1L));
        }
    }

    @Test
    void memoryIsBounded() {
        EngineSettings small =
                new EngineSettings(folder.resolve("small"), List.of(), 50_000_000, 1, 1_000_000, Duration.ofMinutes(1));
        try (Engine bounded = Engine.of(small);
                EngineSession one = bounded.session()) {
            assertThatThrownBy(() -> one.execute(
                            "CREATE TEMP TABLE x AS SELECT md5(i::VARCHAR) || i AS s FROM range(5000000) AS r(i)"))
                    .isInstanceOfSatisfying(
                            EngineException.class, e -> assertThat(e.code()).isEqualTo("53200"));
            assertThat(one.query("SELECT 1").all()).hasSize(1);
        }
    }

    @Test
    void settingsCannotBeChangedAndFilesOutsideCannotBeReached() {
        for (String sql : List.of(
                "SET threads = 8",
                "SET enable_external_access = true",
                "RESET lock_configuration",
                "ATTACH '/tmp/x.db' AS x",
                "COPY (SELECT 1) TO '/tmp/x.parquet'",
                "INSTALL httpfs",
                "LOAD '/tmp/x.duckdb_extension'",
                "CREATE SECRET s (TYPE s3)",
                "EXPORT DATABASE '/tmp/x'",
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM '" + folder.resolve("../../../../../../../etc/passwd") + "'")) {
            assertThatThrownBy(() -> session.execute(sql)).as(sql).isInstanceOf(EngineException.class);
        }
        assertThat(all("SELECT current_setting('TimeZone')")).containsExactly(List.of("UTC"));
    }

    @Test
    void sessionsDoNotSeeEachOthersTablesAndLeaveNone() {
        Schema schema = new Schema(Types.NestedField.optional(1, "a", Types.LongType.get()));
        try (EngineSession other = engine.session()) {
            other.execute("CREATE TEMP TABLE mine AS SELECT 1 AS a");
            other.expose("ns", "t", TableRows.none(schema), SystemColumns::none, Set.of());
            assertThat(other.query("SELECT count(*) FROM ns.t").all()).containsExactly(List.of(0L));
            assertThatThrownBy(() -> all("FROM mine")).isInstanceOf(EngineException.class);
            assertThatThrownBy(() -> all("FROM ns.t")).isInstanceOf(EngineException.class);
        }
        assertThat(all("SELECT count(*) FROM duckdb_databases() WHERE NOT internal"))
                .containsExactly(List.of(1L));
        assertThat(all("SELECT count(*) FROM duckdb_tables()")).containsExactly(List.of(0L));
    }

    @Test
    void describeTellsTypesWithoutRunning() {
        List<Column> columns = session.describe(
                "SELECT 1 AS i, sum(2) AS s, {a: [1.5], \"b c\": 'x'} AS n, MAP {'k': NOW()} AS m, error('not run') AS e");
        assertThat(columns.stream()
                        .map(column -> column.icebergType(
                                        new java.util.concurrent.atomic.AtomicInteger()::incrementAndGet)
                                .toString()))
                .startsWith("int", "long")
                .anyMatch(type -> type.contains("b c: optional string"))
                .anyMatch(type -> type.startsWith("map<string, timestamptz>"));
    }

    @Test
    void anInstanceThatIsLostIsOpenedAgainAndOpenSessionsEndInPeace() {
        engine.invalidated("a test says so");
        try (EngineSession next = engine.session()) {
            assertThat(next.query("SELECT 1").all()).containsExactly(List.of(1L));
        }
        assertThat(all("SELECT 2")).containsExactly(List.of(2L));
    }

    @Test
    void warmingUpLeavesNoFileBehind() throws IOException {
        engine.warm();
        try (Stream<Path> files = Files.list(folder.resolve("staging"))) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".parquet"));
        }
    }

    @Test
    void sessionsWorkAtTheSameTime() throws Exception {
        Schema schema = new Schema(Types.NestedField.optional(1, "a", Types.LongType.get()));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Long>> sums = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int base = i;
                sums.add(threads.submit(() -> {
                    try (EngineSession own = engine.session()) {
                        Path file = own.write(
                                        "SELECT i + " + base + " AS a FROM range(1000) AS r(i)",
                                        schema,
                                        file("parallel" + base + ".parquet"))
                                .local();
                        own.execute("CREATE TEMP TABLE t AS FROM "
                                + own.rows(new TableRows(schema, List.of(plain(file))), true)
                                        .as("r"));
                        try (Rows sum = own.query("SELECT sum(a) FROM t")) {
                            sum.next();
                            return sum.number(0);
                        }
                    }
                }));
            }
            for (int i = 0; i < 40; i++) {
                assertThat(sums.get(i).get()).isEqualTo(499_500L + 1000L * i);
            }
        }
    }
}
