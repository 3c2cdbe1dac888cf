package io.weir.incremental.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.incremental.EngineException;
import io.weir.incremental.FileRows;
import io.weir.incremental.SystemColumns;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlGuardTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "name", Types.StringType.get()));

    @TempDir
    static Path folder;

    private static Engine engine;
    private static TableRows rows;

    @BeforeAll
    static void write() {
        engine = Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
        try (EngineSession session = engine.session()) {
            WrittenFile written = session.write(
                    "SELECT i AS id, 'n' || i AS name FROM range(3) AS t(i)", SCHEMA, folder.resolve("t.parquet"));
            rows = new TableRows(SCHEMA, List.of(FileRows.of("t", written.local(), 3, OptionalLong.of(100), 7)));
        }
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static Optional<KnownTables.KnownTable> known(TableName written) {
        return Optional.of(new TableName(
                        written.namespace().toLowerCase(Locale.ROOT),
                        written.table().toLowerCase(Locale.ROOT)))
                .filter(name -> List.of("t", "u").contains(name.table())
                        && List.of("default", "a.b", "memory", "system").contains(name.namespace()))
                .map(name -> new KnownTables.KnownTable(name, SCHEMA));
    }

    private static List<List<Object>> run(String sql, Object... parameters) {
        try (EngineSession session = engine.session()) {
            CheckedSql checked = SqlGuard.check(session, sql, SqlGuardTest::known);
            SystemColumns lineage = new SystemColumns(
                    List.of(new SystemColumns.Range(100, 3, 4, Instant.EPOCH)),
                    List.of(new SystemColumns.Sequence(7, 5, Instant.EPOCH)));
            for (TableReference table : checked.tables()) {
                session.expose(
                        table.exposedSchema(), table.exposedTable(), rows, () -> lineage, checked.systemColumns());
            }
            try (Rows results = session.query(checked.sql(), parameters)) {
                return results.all();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM '/etc/passwd'",
                "SELECT * FROM \"/etc/passwd\"",
                "SELECT * FROM 't.parquet'",
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM read_text('/etc/passwd')",
                "SELECT * FROM READ_BLOB('/etc/passwd')",
                "SELECT * FROM read_parquet('t.parquet')",
                "SELECT * FROM parquet_metadata('t.parquet')",
                "SELECT * FROM glob('/*')",
                "SELECT * FROM query('SELECT 1')",
                "SELECT * FROM query_table('t')",
                "SELECT * FROM sniff_csv('/etc/passwd')",
                "SELECT * FROM duckdb_settings()",
                "SELECT * FROM duckdb_secrets()",
                "SELECT * FROM main.duckdb_tables()",
                "SELECT * FROM pragma_version()",
                "SELECT * FROM histogram(t, id)",
                "SELECT * FROM json_execute_serialized_sql('{}')",
                "SELECT * FROM pg_catalog.pg_class",
                "SELECT * FROM information_schema.tables",
                "SELECT * FROM duckdb_tables",
                "SELECT * FROM pg_class",
                "SELECT * FROM sqlite_master",
                "SELECT (SELECT count(*) FROM read_text('/etc/passwd'))",
                "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM read_csv('/etc/passwd'))",
                "SELECT * FROM t JOIN LATERAL (SELECT * FROM glob('/*')) AS x ON true",
                "WITH a AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM a",
                "WITH t2 AS (SELECT 1) SELECT * FROM main.t2",
                "SELECT 1 UNION ALL SELECT content FROM read_text('/etc/passwd')",
                "SELECT * FROM t ORDER BY (SELECT max(size) FROM read_text('/etc/passwd'))",
                "SELECT * FROM t LIMIT (SELECT count(*) FROM glob('/*'))",
                "VALUES ((SELECT content FROM read_text('/etc/passwd')))",
                "SELECT * FROM (VALUES ((SELECT count(*) FROM glob('/*')))) AS v",
                "SELECT * FROM range((SELECT count(*) FROM glob('/*')))",
                "SELECT sum(id) FILTER (WHERE id IN (SELECT count(*) FROM glob('/*'))) FROM t",
                "SELECT row_number() OVER (ORDER BY (SELECT count(*) FROM glob('/*'))) FROM t",
                "SELECT list_transform([1], lambda x: (SELECT count(*) FROM glob('/*')))",
                "SELECT getenv('HOME')",
                "SELECT current_setting('temp_directory')",
                "SELECT getvariable('x')",
                "SELECT nextval('s')",
                "SELECT write_log('x')",
                "SELECT pg_sleep(1)",
                "SELECT main.sleep_ms(1000)",
                "DESCRIBE t",
                "SHOW TABLES",
                "SUMMARIZE t",
                "FROM (DESCRIBE t)",
                "FROM (SHOW ALL TABLES)",
            })
    void whatReachesOutsideIsRefused(String sql) {
        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        EngineException.class,
                        refused -> assertThat(refused.code()).isIn("42501", "42P01"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRAGMA database_list",
                "ATTACH '/etc/passwd' AS p",
                "SET threads = 1",
                "COPY t TO 'x'",
                "COPY (SELECT 1) TO '/etc/x'",
                "CREATE TABLE x (i INT)",
                "INSERT INTO t VALUES (1)",
                "INSTALL httpfs",
                "LOAD httpfs",
                "CALL range(1)",
                "EXPLAIN SELECT 1",
                "USE memory",
                "DROP TABLE t",
                "SELECT 1; SELECT 2",
                "SELECT 1; DROP TABLE t",
                "SELECT",
                "",
                "SELECT 1 +",
            })
    void whatIsNotOneSelectIsRefused(String sql) {
        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        EngineException.class,
                        refused -> assertThat(refused.code()).isEqualTo("42601"));
    }

    @Test
    void anUnknownTableIsNamedAsItWasWritten() {
        assertThatThrownBy(() -> run("SELECT * FROM sales.nope"))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("sales.nope");
    }

    @Test
    void systemColumnsAreInNoStarUnlessNamed() {
        assertThat(run("SELECT * FROM t WHERE id = 1")).containsExactly(List.of(1L, "n1"));
        assertThat(run("SELECT *, _row_id FROM t WHERE id = 1")).containsExactly(List.of(1L, "n1", 101L));
        assertThat(run("SELECT p.*, p._ROW_ID FROM t AS p WHERE id = 1")).containsExactly(List.of(1L, "n1", 101L));
        assertThat(run("SELECT * FROM t WHERE _row_id = 102")).containsExactly(List.of(2L, "n2"));
        assertThat(run("SELECT * FROM t ORDER BY _version, _row_id DESC LIMIT 1"))
                .containsExactly(List.of(2L, "n2"));
        assertThat(run("FROM t WHERE _row_id = 100")).containsExactly(List.of(0L, "n0"));
        assertThat(run("SELECT * EXCLUDE (_row_id, name), _version FROM t WHERE id = 1"))
                .containsExactly(List.of(1L, 5L));
        assertThat(run("SELECT COLUMNS(*) FROM t WHERE _row_id = 100")).containsExactly(List.of(0L, "n0"));
    }

    @Test
    void joinsNameTheSystemColumnsOfEitherSide() {
        assertThat(run("SELECT p._row_id, u._row_id FROM t AS p JOIN u USING (id) WHERE id = 2"))
                .containsExactly(List.of(102L, 102L));
        assertThat(run("SELECT * FROM t AS p JOIN u USING (id) WHERE p._row_id = 101"))
                .containsExactly(List.of(1L, "n1", "n1"));
        assertThat(run("SELECT u.* FROM t AS p JOIN u USING (id) WHERE p._row_id = 101"))
                .containsExactly(List.of(1L, "n1"));
        assertThat(run("SELECT * FROM t SEMI JOIN u USING (id) WHERE t._row_id = 101"))
                .containsExactly(List.of(1L, "n1"));
        assertThat(run("SELECT * FROM t WHERE EXISTS (SELECT * FROM u WHERE u._row_id = t._row_id + 2)"))
                .containsExactly(List.of(0L, "n0"));
    }

    @Test
    void aSubqueryHandsSystemColumnsItNamesOnAsItsOwn() {
        assertThat(run("SELECT * FROM (SELECT *, _row_id FROM t) AS s WHERE id = 1"))
                .containsExactly(List.of(1L, "n1", 101L));
        assertThat(run("WITH s AS (SELECT id, _row_id FROM t) SELECT * FROM s JOIN u USING (id) WHERE id = 1"))
                .containsExactly(List.of(1L, 101L, "n1"));
        assertThat(run("WITH t AS (SELECT id, _row_id FROM t) SELECT * FROM t WHERE id = 1"))
                .containsExactly(List.of(1L, 101L));
    }

    @Test
    void namespacesAreWhatTheyAreCalledEvenLikeTheEnginesOwn() {
        assertThat(run("SELECT t.id FROM a.b.t WHERE a.b.t.id = 1 AND t._row_id = 101"))
                .containsExactly(List.of(1L));
        assertThat(run("SELECT memory.t.id, system.u.id FROM memory.t JOIN system.u USING (id) WHERE memory.t.id = 1"))
                .containsExactly(List.of(1L, 1L));
        assertThat(run("SELECT T.Id FROM \"default\".T WHERE id = 1")).containsExactly(List.of(1L));
    }

    @Test
    void aTableIsReadAtSeveralPointsInTime() {
        try (EngineSession session = engine.session()) {
            CheckedSql checked = SqlGuard.check(
                    session,
                    "SELECT * FROM t JOIN t AS o AT (VERSION => 5) USING (id)"
                            + " JOIN a.b.u AT (TIMESTAMP => TIMESTAMPTZ '2026-01-01') USING (id) WHERE a.b.u.id = 1",
                    SqlGuardTest::known);
            assertThat(checked.tables().stream().map(TableReference::at))
                    .containsExactly(
                            Optional.empty(),
                            Optional.of(new TableReference.At(TableReference.At.Unit.VERSION, "5")),
                            Optional.of(new TableReference.At(TableReference.At.Unit.TIMESTAMP, "2026-01-01")));
        }
        assertThat(run("SELECT t.id, o.id FROM t JOIN t AS o AT (VERSION => 5) USING (id) WHERE id = 1"))
                .containsExactly(List.of(1L, 1L));
        assertThat(run("SELECT t.id FROM t AT (VERSION => 5) WHERE t.id = 1")).containsExactly(List.of(1L));
    }

    @Test
    void parametersAreNumberedInTheOrderTheyAreMet() {
        try (EngineSession session = engine.session()) {
            CheckedSql checked = SqlGuard.check(session, "SELECT $b, $a, $b FROM t WHERE id = $a", SqlGuardTest::known);
            assertThat(checked.parameters()).containsExactlyInAnyOrder("a", "b");
        }
        assertThat(run("SELECT name FROM t WHERE id = ?", 2)).containsExactly(List.of("n2"));
        assertThat(run("SELECT $x + $x", 21)).containsExactly(List.of(42L));
    }

    @Test
    void ordinaryQueriesPass() {
        assertThat(run("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3)"
                        + " SELECT sum(n)::BIGINT FROM c"))
                .containsExactly(List.of(6L));
        assertThat(run("SELECT unnest([1, 2]) AS x, x.y FROM (SELECT {y: 1} AS x)"))
                .hasSize(2);
        assertThat(run("SELECT count(*), max(r.i) FROM t, range(3) AS r(i), unnest([1]) AS n(k)"))
                .containsExactly(List.of(9L, 2L));
        assertThat(run("SELECT CASE WHEN id BETWEEN 0 AND 1 THEN 'a' ELSE name END, [x + 1 for x in [id]],"
                        + " row_number() OVER (ORDER BY id DESC) FROM t WHERE name LIKE 'n%' QUALIFY true"
                        + " ORDER BY ALL LIMIT 1"))
                .hasSize(1);
        assertThat(run("SELECT * FROM t PIVOT (count(*) FOR id IN (1, 2))")).hasSize(3);
        assertThat(run("SELECT DISTINCT ON (id) id::VARCHAR COLLATE nocase, INTERVAL 1 DAY, TIMESTAMP '2020-01-01'"
                        + " FROM t TABLESAMPLE 100%"))
                .hasSize(3);
        assertThat(run("SELECT id, count(*) FROM t GROUP BY GROUPING SETS ((id), ()) HAVING count(*) > 0"))
                .hasSize(4);
    }
}
