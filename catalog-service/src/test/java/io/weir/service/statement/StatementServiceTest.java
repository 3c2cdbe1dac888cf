package io.weir.service.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.coordinator.Caller;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.Version;
import io.weir.incremental.EngineException;
import io.weir.incremental.engine.Column;
import io.weir.incremental.view.ViewException;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.service.sql.SqlException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatementServiceTest {
    @TempDir
    static Path folder;

    private static WeirServer server;
    private static int schemas;

    private String schema;

    @BeforeAll
    static void start() {
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + folder.resolve("lake")),
                        Setting.LISTEN, List.of("127.0.0.1:0"),
                        Setting.STATEMENT_ATTEMPTS, List.of("50"))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void freshSchema() {
        schema = "s" + ++schemas;
        run("CREATE SCHEMA " + schema);
    }

    @Test
    void anInsertFillsTheColumnsItDoesNotNameWithNull() {
        run("CREATE TABLE S.t (a BIGINT, b VARCHAR, c DECIMAL(10,2))");
        assertThat(run("INSERT INTO S.t (c, a) VALUES (1.5, 1), ('2.25', 2)").rows)
                .containsExactly(List.of(2L));

        assertThat(run("SELECT a, b, c FROM S.t ORDER BY a").rows)
                .containsExactly(row(1L, null, new BigDecimal("1.50")), row(2L, null, new BigDecimal("2.25")));
    }

    @Test
    void whatDoesNotFitIsRefusedAndNothingOfItStays() {
        run("CREATE TABLE S.t (a INTEGER NOT NULL, b VARCHAR)");

        assertError("INSERT INTO S.t VALUES (1, 'x'), (NULL, 'y')", "23502");
        assertError("INSERT INTO S.t VALUES (1, 'x'), (3000000000, 'y')", "22003");
        assertError("INSERT INTO S.t VALUES ('one', 'x')", "22P02");
        assertError("INSERT INTO S.t VALUES (1)", "42601");
        assertError("INSERT INTO S.t (a, nope) VALUES (1, 2)", "42703");
        assertError("INSERT INTO S.t (a, a) VALUES (1, 2)", "42701");
        assertThat(run("SELECT count(*) FROM S.t").rows).containsExactly(row(0L));
    }

    @Test
    void aTransactionThatLooksAtAKeyedTableItInsertedIntoIsRefusedAndChangesNothing() {
        run("CREATE TABLE S.k (id VARCHAR PRIMARY KEY, t VARCHAR)");
        run("CREATE TABLE S.b (id VARCHAR, t VARCHAR)");
        run("INSERT INTO S.k VALUES ('a', '1'), ('b', '2')");

        assertError("BEGIN; INSERT INTO S.k VALUES ('c', '3'); DELETE FROM S.k WHERE id = 'a'; COMMIT", "0A000");
        assertError("BEGIN; INSERT INTO S.k VALUES ('a', '3'); INSERT INTO S.b SELECT * FROM S.k; COMMIT", "0A000");
        run("BEGIN; INSERT INTO S.k VALUES ('a', '3'); INSERT INTO S.k VALUES ('a', '4'), ('c', '5'); COMMIT");

        assertThat(run("SELECT id, t FROM S.k ORDER BY id").rows)
                .containsExactly(row("a", "4"), row("b", "2"), row("c", "5"));
        assertThat(run("SELECT count(*) FROM S.b").rows).containsExactly(row(0L));
    }

    @Test
    void namesAreFoundWithoutRegardToCaseAndKeepTheirs() {
        run("CREATE TABLE S.\"MixedCase\" (\"Id\" BIGINT)");
        run("INSERT INTO S.mixedcase (ID) VALUES (1)");

        Answer answer = run("SELECT * FROM S.MIXEDCASE");

        assertThat(answer.columns).containsExactly("Id");
        assertThat(answer.rows).containsExactly(row(1L));
        assertError("CREATE TABLE S.\"MixedCase\" (x INT)", "42P07");
    }

    @Test
    void parametersAreValuesAndNeverText() {
        run("CREATE TABLE S.t (a VARCHAR, n BIGINT)");
        run("INSERT INTO S.t VALUES ($text, $number)", Map.of("text", "x'); DROP TABLE t; --", "number", 7));

        assertThat(run("SELECT n FROM S.t WHERE a = $text", Map.of("text", "x'); DROP TABLE t; --")).rows)
                .containsExactly(row(7L));
        assertError("SELECT $missing", "42P02");
    }

    @Test
    void anUpdateKeepsTheRowsIdentity() {
        run("CREATE TABLE S.t (id BIGINT, v BIGINT)");
        run("INSERT INTO S.t VALUES (1, 10), (2, 20), (3, 30)");
        List<List<Object>> before = run("SELECT id, _row_id, _created_at FROM S.t ORDER BY id").rows;

        assertThat(run("UPDATE S.t AS x SET v = x.v + u.d FROM (VALUES (1, 5), (3, 7)) AS u(id, d) WHERE x.id = u.id")
                        .rows)
                .containsExactly(row(2L));

        assertThat(run("SELECT id, _row_id, _created_at FROM S.t ORDER BY id").rows)
                .isEqualTo(before);
        assertThat(run("SELECT v FROM S.t ORDER BY id").rows).containsExactly(row(15L), row(20L), row(37L));
        assertThat(run("SELECT id FROM S.t WHERE _updated_at > _created_at ORDER BY id").rows)
                .containsExactly(row(1L), row(3L));
    }

    @Test
    void deletesOfAVersionThreeTableMergeTheirVectors() {
        run("CREATE TABLE S.t (id BIGINT) WITH (format_version = 3)");
        run("INSERT INTO S.t SELECT * FROM range(10)");
        run("DELETE FROM S.t WHERE id < 3");
        run("DELETE FROM S.t WHERE id IN (5, 7)");
        run("UPDATE S.t SET id = 90 WHERE id = 9");

        assertThat(run("SELECT id, _row_id FROM S.t ORDER BY id").rows)
                .containsExactly(row(3L, 3L), row(4L, 4L), row(6L, 6L), row(8L, 8L), row(90L, 9L));
    }

    @Test
    void aTransactionIsOneVersionAndReadsItsOwnWrites() {
        run("CREATE TABLE S.a (id BIGINT); CREATE TABLE S.b (id BIGINT)");
        Version before = version();

        run("BEGIN; INSERT INTO S.a VALUES (1), (2); INSERT INTO S.b SELECT id * 10 FROM S.a;"
                + " UPDATE S.a SET id = 5 WHERE id = 2; COMMIT");

        assertThat(version()).isEqualTo(before.next());
        assertThat(run("SELECT id FROM S.a ORDER BY id").rows).containsExactly(row(1L), row(5L));
        assertThat(run("SELECT id FROM S.b ORDER BY id").rows).containsExactly(row(10L), row(20L));
    }

    @Test
    void aTransactionThatFailsOrIsRolledBackLeavesNothing() {
        run("CREATE TABLE S.a (id BIGINT)");
        Version before = version();

        assertError("BEGIN; INSERT INTO S.a VALUES (1); INSERT INTO S.nope VALUES (1); COMMIT", "42P01");
        run("BEGIN; INSERT INTO S.a VALUES (1); ROLLBACK");
        assertError("BEGIN; INSERT INTO S.a VALUES (1)", "25000");
        assertError("COMMIT", "25P01");

        assertThat(version()).isEqualTo(before);
    }

    @Test
    void thePastIsReadByVersionAndByTime() {
        run("CREATE TABLE S.t (id BIGINT)");
        run("INSERT INTO S.t VALUES (1)");
        Version first = version();
        List<Object> moment = run("SELECT CAST(max(committed_at) AS VARCHAR) FROM weir.commits")
                .rows
                .getFirst();
        run("INSERT INTO S.t VALUES (2)");

        assertThat(run("SELECT count(*) FROM S.t AT (VERSION => " + first + ")").rows)
                .containsExactly(row(1L));
        assertThat(run("SELECT count(*) FROM S.t AT (TIMESTAMP => '" + moment.getFirst() + "')").rows)
                .containsExactly(row(1L));
        assertThat(run(new SqlRequest(in("SELECT count(*) FROM S.t"), Map.of(), Optional.of(first), Caller.WEIR)).rows)
                .containsExactly(row(1L));
        assertThat(code(() -> run(
                        new SqlRequest(in("INSERT INTO S.t VALUES (3)"), Map.of(), Optional.of(first), Caller.WEIR))))
                .isEqualTo("25006");
        assertError("SELECT * FROM S.t AT (VERSION => 99999)", "22023");
    }

    @Test
    void aTableIsAlteredAndOldRowsFollow() {
        run("CREATE TABLE S.t (id INTEGER, name VARCHAR)");
        run("INSERT INTO S.t VALUES (1, 'a')");
        run("ALTER TABLE S.t ADD COLUMN x DOUBLE, RENAME COLUMN name TO label, ALTER COLUMN id SET DATA TYPE BIGINT");
        run("INSERT INTO S.t VALUES (3000000000, 'b', 1.5)");

        assertThat(run("SELECT id, label, x FROM S.t ORDER BY id").rows)
                .containsExactly(row(1L, "a", null), row(3000000000L, "b", 1.5));
        run("ALTER TABLE S.t RENAME TO u");
        assertError("SELECT * FROM S.t", "42P01");
        assertThat(run("DESCRIBE S.u").rows.getFirst()).startsWith("id", "BIGINT", "YES");
    }

    @Test
    void aSchemaIsDroppedWithAllThatFollowsEachOther() {
        run("CREATE TABLE S.t (id BIGINT)");
        run("CREATE MATERIALIZED VIEW S.v AS SELECT id FROM S.t");
        run("CREATE MATERIALIZED VIEW S.w AS SELECT count(*) AS n FROM S.v");

        assertError("DROP SCHEMA S", "2BP01");
        run("DROP SCHEMA S CASCADE");

        assertError("SELECT * FROM S.w", "42P01");
        assertError("SHOW TABLES FROM S", "3F000");
    }

    @Test
    void aViewThatCannotBeIsRefusedWithItsReason() {
        run("CREATE TABLE S.t (id BIGINT, v VARCHAR)");
        run("INSERT INTO S.t VALUES (1, 'x')");

        assertError("CREATE MATERIALIZED VIEW S.v AS SELECT nope FROM S.t", "42703");
        assertError("CREATE MATERIALIZED VIEW S.v AS SELECT id FROM S.nope", "42P01");
        assertError("CREATE MATERIALIZED VIEW S.v AS SELEC id FROM S.t", "42601");
        assertError("CREATE MATERIALIZED VIEW S.v AS SELECT CAST(v AS BIGINT) AS n FROM S.t", "22P02");
        assertError("CREATE MATERIALIZED VIEW S.v AS SELECT id FROM read_csv('/etc/passwd')", "42501");
        assertError("CREATE MATERIALIZED VIEW S.v WITH (no_such = 1) AS SELECT id FROM S.t", "0A000");
        assertThat(run("SELECT name FROM weir.tables WHERE schema = '" + schema + "'").rows)
                .containsExactly(row("t"));
    }

    @Test
    void onlyTheFlowWritesAView() {
        run("CREATE TABLE S.t (id BIGINT)");
        run("CREATE MATERIALIZED VIEW S.v AS SELECT id FROM S.t");

        assertError("INSERT INTO S.v VALUES (1)", "42809");
        assertError("DELETE FROM S.v", "42809");
        assertError("DROP TABLE S.v", "42809");
        assertError("DROP TABLE S.t", "2BP01");
        assertError("DROP MATERIALIZED VIEW S.t", "42809");
        assertError("CREATE TABLE weir.t (id BIGINT)", "42501");
    }

    @Test
    void aReplacedTableAndAReplacedViewStartAnew() {
        run("CREATE TABLE S.t AS SELECT 1 AS a");
        run("CREATE OR REPLACE TABLE S.t AS SELECT 'x' AS b");
        run("CREATE MATERIALIZED VIEW S.v AS SELECT b FROM S.t");
        run("CREATE OR REPLACE MATERIALIZED VIEW S.v AS SELECT b, upper(b) AS c FROM S.t");
        run("CREATE MATERIALIZED VIEW IF NOT EXISTS S.v AS SELECT b FROM S.t");

        assertThat(run("SELECT * FROM S.v").rows).containsExactly(row("x", "X"));
    }

    @Test
    void aKeyedTableHasOneRowForEachKey() {
        run("CREATE TABLE S.t (id BIGINT, day DATE, v VARCHAR, PRIMARY KEY (id, day))");
        run("INSERT INTO S.t VALUES (1, '2026-01-01', 'a'), (2, '2026-01-01', 'b'), (1, '2026-01-01', 'c')");
        run("BEGIN; INSERT INTO S.t VALUES (2, '2026-01-01', 'd'); INSERT INTO S.t VALUES (2, '2026-01-01', 'e');"
                + " INSERT INTO S.t VALUES (3, '2026-01-02', 'f'); COMMIT");

        assertThat(run("SELECT id, v FROM S.t ORDER BY id").rows)
                .containsExactly(row(1L, "c"), row(2L, "e"), row(3L, "f"));
        assertError("UPDATE S.t SET id = 2 WHERE id = 1", "23505");
        assertError("UPDATE S.t SET id = 9 WHERE id < 3", "23505");
        run("UPDATE S.t SET id = id + 1, v = upper(v)");
        assertError("INSERT INTO S.t VALUES (NULL, '2026-01-01', 'x')", "23502");
        assertThat(run("SELECT key FROM weir.tables WHERE schema = '" + schema + "'")
                        .rows
                        .getFirst()
                        .getFirst())
                .isIn("id, day", "day, id");
    }

    @Test
    void manyWritersOfOneTableLoseNothing() throws InterruptedException, ExecutionException {
        run("CREATE TABLE S.t (id BIGINT, n BIGINT)");
        run("INSERT INTO S.t VALUES (1, 0)");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new ArrayList<Future<?>>();
            for (int writer = 0; writer < 4; writer++) {
                int id = 100 + writer;
                tasks.add(threads.submit(() -> {
                    for (int i = 0; i < 3; i++) {
                        run("UPDATE S.t SET n = n + 1 WHERE id = 1");
                        run("INSERT INTO S.t VALUES (" + id + ", 1)");
                    }
                }));
            }
            for (Future<?> task : tasks) {
                task.get();
            }
        }

        assertThat(run("SELECT n FROM S.t WHERE id = 1").rows).containsExactly(row(12L));
        assertThat(run("SELECT count(*) FROM S.t").rows).containsExactly(row(13L));
    }

    @Test
    void rowsOfAPartitionedTableGoToTheirPartitions() {
        run("CREATE TABLE S.t (id BIGINT, day DATE, at TIMESTAMP, name VARCHAR)"
                + " PARTITIONED BY (month(day), bucket(4, id), truncate(name, 1))");
        run("INSERT INTO S.t SELECT i, DATE '2026-01-30' + CAST(i AS INTEGER), TIMESTAMP '2026-01-01 10:00:00',"
                + " chr(97 + CAST(i % 3 AS INTEGER)) || i FROM range(40) AS r(i)");
        run("INSERT INTO S.t VALUES (NULL, NULL, NULL, NULL)");
        run("UPDATE S.t SET day = DATE '2027-05-05' WHERE id = 7");
        run("DELETE FROM S.t WHERE id BETWEEN 10 AND 19");

        assertThat(run("SELECT count(*), count(id), sum(id) FROM S.t").rows).containsExactly(row(31L, 30L, 635L));
        assertThat(run("SELECT day FROM S.t WHERE id = 7").rows.getFirst().getFirst())
                .hasToString("2027-05-05");
    }

    private String in(String sql) {
        return sql.replace("S.", schema + ".")
                .replace("SCHEMA S", "SCHEMA " + schema)
                .replace("FROM S", "FROM " + schema);
    }

    private Answer run(String sql) {
        return run(sql, Map.of());
    }

    private Answer run(String sql, Map<String, Object> parameters) {
        return run(new SqlRequest(in(sql), parameters, Optional.empty(), Caller.WEIR));
    }

    private static Answer run(SqlRequest request) {
        var answer = new Answer();
        server.lakes().first().statements().run(request, answer);
        return answer;
    }

    private static Version version() {
        return server.lakes().first().lake().state().version();
    }

    private void assertError(String sql, String code) {
        assertThat(code(() -> run(sql))).as(sql).isEqualTo(code);
    }

    private static String code(Runnable statement) {
        Throwable error = catchThrowable(statement::run);
        return switch (error) {
            case null -> "none";
            case SqlException e -> e.code();
            case EngineException e -> e.code();
            case ViewException e -> e.code();
            case RequestRejectedException e -> StatementService.error(e).code();
            default -> error.toString();
        };
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    private static final class Answer implements AnswerSink {
        private final List<String> columns = new ArrayList<>();
        private final List<List<Object>> rows = new ArrayList<>();

        @Override
        public void start(Version version, List<Column> described) {
            described.forEach(column -> columns.add(column.name()));
        }

        @Override
        public void row(List<Object> values) {
            rows.add(values);
        }
    }
}
