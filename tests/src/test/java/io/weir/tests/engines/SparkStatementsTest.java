package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.tests.fixtures.Fixture;
import io.weir.tests.fixtures.WeirServer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Spark's own usual statements through the catalog, on a lake on S3. */
@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkStatementsTest {
    private final ServedLake lake = new ServedLake("spark");
    private final Fixture<SparkEngine> spark = new Fixture<>(() -> SparkEngine.start(lake.address()));

    @AfterAll
    void stop() {
        spark.close();
        lake.close();
    }

    private Answer sql(String statement) {
        return spark.get().sql(statement);
    }

    private List<List<Object>> rows(String query) {
        return sql(query).rows();
    }

    private void all(String... statements) {
        for (String statement : statements) {
            sql(statement);
        }
    }

    @Test
    void namespacesAreMadeDescribedChangedListedAndDropped() {
        all(
                "CREATE NAMESPACE spaces COMMENT 'first' WITH DBPROPERTIES ('a' = '1')",
                "ALTER NAMESPACE spaces SET PROPERTIES ('a' = '2', 'b' = '3')",
                "CREATE NAMESPACE spaces.inner");
        assertThat(rows("DESCRIBE NAMESPACE EXTENDED spaces"))
                .contains(List.of("Comment", "first"), List.of("Properties", "((a,2), (b,3))"));
        assertThat(rows("SHOW NAMESPACES")).contains(List.of("spaces"), List.of("default"));
        assertThat(rows("SHOW NAMESPACES IN spaces")).containsExactly(List.of("spaces.inner"));
        assertThatThrownBy(() -> sql("DROP NAMESPACE spaces")).hasMessageContaining("not empty");
        all("DROP NAMESPACE spaces.inner", "DROP NAMESPACE spaces");
        assertThat(rows("SHOW NAMESPACES")).doesNotContain(List.of("spaces"));
    }

    @Test
    void tablesAreMadeReplacedAndFilledFromQueries() {
        all(
                "CREATE NAMESPACE made",
                "CREATE TABLE made.t (id BIGINT NOT NULL COMMENT 'key', name STRING, ts TIMESTAMP) USING iceberg"
                        + " PARTITIONED BY (days(ts)) COMMENT 'a table' TBLPROPERTIES ('k' = 'v')",
                "INSERT INTO made.t VALUES (1, 'a', TIMESTAMP '2024-01-01 10:00:00'), (2, 'b', NULL)",
                "CREATE TABLE made.c USING iceberg PARTITIONED BY (bucket(4, id)) AS SELECT id, name FROM made.t");
        assertThat(sql("SHOW CREATE TABLE made.t").single().toString())
                .contains("PARTITIONED BY (days(ts))", "COMMENT 'a table'", "COMMENT 'key'", "NOT NULL", "'k' = 'v'");
        assertThat(rows("SELECT * FROM made.c ORDER BY id")).containsExactly(List.of(1L, "a"), List.of(2L, "b"));
        sql("CREATE OR REPLACE TABLE made.c USING iceberg AS SELECT id, name, 7 AS seven FROM made.t");
        assertThat(rows("SELECT * FROM made.c ORDER BY id"))
                .containsExactly(List.of(1L, "a", 7L), List.of(2L, "b", 7L));
        sql("REPLACE TABLE made.c USING iceberg PARTITIONED BY (name) AS SELECT id, name FROM made.t WHERE id = 1");
        assertThat(rows("SELECT * FROM made.c")).containsExactly(List.of(1L, "a"));
        assertThat(rows("SELECT operation FROM made.c.snapshots")).hasSize(3);
        sql("CREATE OR REPLACE TABLE made.c (z INT) USING iceberg");
        assertThat(sql("SELECT * FROM made.c").columns()).containsExactly("z");
        all("CREATE TABLE IF NOT EXISTS made.c (other INT) USING iceberg", "ALTER TABLE made.c RENAME TO made.d");
        assertThat(rows("SHOW TABLES IN made")).extracting(row -> row.get(1)).containsExactlyInAnyOrder("t", "d");
        assertThatThrownBy(() -> sql("CREATE TABLE made.t (id INT) USING iceberg"))
                .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");
    }

    @Test
    void schemasEvolve() {
        all(
                "CREATE NAMESPACE evolving",
                "CREATE TABLE evolving.t (id BIGINT NOT NULL, name STRING, p STRUCT<x: INT, y: FLOAT>,"
                        + " l ARRAY<STRUCT<a: INT>>, m MAP<STRING, STRUCT<v: INT>>) USING iceberg",
                "INSERT INTO evolving.t VALUES (1, 'a', named_struct('x', 1, 'y', 1.5f), array(named_struct('a', 1)),"
                        + " map('k', named_struct('v', 1)))",
                "ALTER TABLE evolving.t ADD COLUMN extra STRING AFTER id",
                "ALTER TABLE evolving.t ADD COLUMNS (p.z DOUBLE, l.element.b STRING, m.value.w INT)",
                "ALTER TABLE evolving.t RENAME COLUMN name TO title",
                "ALTER TABLE evolving.t RENAME COLUMN p.x TO xx",
                "ALTER TABLE evolving.t ALTER COLUMN p.xx TYPE BIGINT",
                "ALTER TABLE evolving.t ALTER COLUMN p.y TYPE DOUBLE",
                "ALTER TABLE evolving.t ALTER COLUMN title FIRST",
                "ALTER TABLE evolving.t ALTER COLUMN id COMMENT 'the key'",
                "ALTER TABLE evolving.t SET IDENTIFIER FIELDS id",
                "ALTER TABLE evolving.t DROP IDENTIFIER FIELDS id",
                "ALTER TABLE evolving.t ALTER COLUMN id DROP NOT NULL",
                "ALTER TABLE evolving.t DROP COLUMN extra",
                "ALTER TABLE evolving.t SET TBLPROPERTIES ('k' = 'v', 'l' = 'w')",
                "ALTER TABLE evolving.t UNSET TBLPROPERTIES ('l')");
        assertThat(sql("SELECT * FROM evolving.t").columns()).containsExactly("title", "id", "p", "l", "m");
        assertThat(rows("SELECT title, id, p.xx, p.y, p.z, l[0].a, l[0].b, m['k'].v, m['k'].w FROM evolving.t"))
                .containsExactly(Arrays.asList("a", 1L, 1L, 1.5, null, 1L, null, 1L, null));
        assertThat(rows("SHOW TBLPROPERTIES evolving.t")).contains(List.of("k", "v"));
        assertThat(rows("SHOW TBLPROPERTIES evolving.t"))
                .extracting(List::getFirst)
                .doesNotContain("l");
    }

    @Test
    void partitionsAndOrdersEvolve() {
        all(
                "CREATE NAMESPACE parts",
                "CREATE TABLE parts.t (id BIGINT, name STRING, ts TIMESTAMP) USING iceberg PARTITIONED BY (days(ts))",
                "INSERT INTO parts.t VALUES (1, 'aaa', TIMESTAMP '2024-01-01 10:00:00')",
                "ALTER TABLE parts.t ADD PARTITION FIELD bucket(4, id) AS shard",
                "ALTER TABLE parts.t DROP PARTITION FIELD days(ts)",
                "ALTER TABLE parts.t REPLACE PARTITION FIELD shard WITH truncate(2, name)",
                "ALTER TABLE parts.t WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY id DESC",
                "INSERT INTO parts.t VALUES (2, 'bbb', TIMESTAMP '2024-01-02 10:00:00')",
                "DELETE FROM parts.t WHERE name = 'aaa'");
        assertThat(rows("SELECT id FROM parts.t")).containsExactly(List.of(2L));
        assertThat(rows("SELECT spec_id FROM parts.t.files")).containsExactly(List.of(3L));
        assertThat(rows("SHOW TBLPROPERTIES parts.t")).contains(List.of("sort-order", "id DESC NULLS LAST"));
    }

    @Test
    void branchesAndTagsAreMadeWrittenFastForwardedAndDropped() {
        all(
                "CREATE NAMESPACE refs",
                "CREATE TABLE refs.t (id BIGINT, v STRING) USING iceberg",
                "INSERT INTO refs.t VALUES (1, 'a')",
                "ALTER TABLE refs.t CREATE BRANCH audit",
                "ALTER TABLE refs.t CREATE TAG one RETAIN 7 DAYS",
                "INSERT INTO refs.t.branch_audit VALUES (2, 'b')",
                "UPDATE refs.t.branch_audit SET v = 'bb' WHERE id = 2",
                "DELETE FROM refs.t.branch_audit WHERE id = 1");
        assertThat(rows("SELECT * FROM refs.t")).containsExactly(List.of(1L, "a"));
        assertThat(rows("SELECT * FROM refs.t VERSION AS OF 'audit'")).containsExactly(List.of(2L, "bb"));
        sql("CALL weir.system.fast_forward('refs.t', 'main', 'audit')");
        assertThat(rows("SELECT * FROM refs.t")).containsExactly(List.of(2L, "bb"));
        assertThat(rows("SELECT * FROM refs.t VERSION AS OF 'one'")).containsExactly(List.of(1L, "a"));
        assertThat(rows("SELECT name, type FROM refs.t.refs"))
                .contains(List.of("main", "BRANCH"), List.of("audit", "BRANCH"), List.of("one", "TAG"));
        all(
                "ALTER TABLE refs.t REPLACE BRANCH audit RETAIN 3 DAYS WITH SNAPSHOT RETENTION 2 SNAPSHOTS",
                "ALTER TABLE refs.t CREATE OR REPLACE TAG one",
                "ALTER TABLE refs.t DROP BRANCH audit",
                "ALTER TABLE refs.t DROP TAG one");
        assertThat(rows("SELECT name FROM refs.t.refs")).containsExactly(List.of("main"));
    }

    @Test
    void thePastIsReadAndRolledBackTo() {
        all(
                "CREATE NAMESPACE past",
                "CREATE TABLE past.t (id BIGINT) USING iceberg",
                "INSERT INTO past.t VALUES (1)",
                "INSERT INTO past.t VALUES (2)");
        List<List<Object>> snapshots =
                rows("SELECT snapshot_id, committed_at FROM past.t.snapshots ORDER BY committed_at");
        Object first = snapshots.getFirst().getFirst();
        Object second = snapshots.getLast().getFirst();
        assertThat(rows("SELECT id FROM past.t VERSION AS OF " + first)).containsExactly(List.of(1L));
        assertThat(rows("SELECT id FROM past.t TIMESTAMP AS OF '"
                        + snapshots.getFirst().get(1) + "'"))
                .containsExactly(List.of(1L));
        assertThat(rows("SELECT id FROM past.t TIMESTAMP AS OF current_timestamp()"))
                .hasSize(2);
        sql("CALL weir.system.rollback_to_snapshot('past.t', " + first + ")");
        assertThat(rows("SELECT id FROM past.t")).containsExactly(List.of(1L));
        sql("CALL weir.system.set_current_snapshot('past.t', " + second + ")");
        assertThat(rows("SELECT id FROM past.t")).hasSize(2);
        sql("CALL weir.system.rollback_to_timestamp('past.t', TIMESTAMP '"
                + snapshots.getLast().get(1) + "')");
        sql("CALL weir.system.cherrypick_snapshot('past.t', " + second + ")");
        assertThat(rows("SELECT id FROM past.t ORDER BY id")).containsExactly(List.of(1L), List.of(2L));
        assertThat(rows("CALL weir.system.ancestors_of('past.t')")).hasSize(2);
    }

    @Test
    void rowsAreMergedOverwrittenAndRewrittenByProceduresAndStayWhatTheyAre() {
        all(
                "CREATE NAMESPACE kept",
                "CREATE TABLE kept.t (id BIGINT, v STRING) USING iceberg PARTITIONED BY (bucket(2, id))"
                        + " TBLPROPERTIES ('write.delete.mode' = 'merge-on-read')",
                "INSERT INTO kept.t SELECT id, concat('v', id) FROM range(50)",
                "MERGE INTO kept.t t USING (SELECT 2 AS id, 'm' AS v UNION ALL SELECT 900, 'n' UNION ALL SELECT 3, 'x') s"
                        + " ON t.id = s.id WHEN MATCHED AND s.v = 'x' THEN DELETE WHEN MATCHED THEN UPDATE SET *"
                        + " WHEN NOT MATCHED THEN INSERT *",
                "DELETE FROM kept.t WHERE id = 7");
        List<List<Object>> before = rows("SELECT * FROM kept.t ORDER BY id");
        assertThat(before).hasSize(49).contains(List.of(2L, "m"), List.of(900L, "n"));
        for (String procedure : List.of(
                "rewrite_data_files(table => 'kept.t', options => map('rewrite-all', 'true'))",
                "rewrite_data_files(table => 'kept.t', strategy => 'sort', sort_order => 'zorder(id, v)',"
                        + " options => map('rewrite-all', 'true'))",
                "rewrite_position_delete_files(table => 'kept.t', options => map('rewrite-all', 'true'))",
                "rewrite_manifests('kept.t')",
                "compute_table_stats('kept.t')",
                "compute_partition_stats('kept.t')",
                "expire_snapshots(table => 'kept.t', older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)",
                "remove_orphan_files(table => 'kept.t', prefix_listing => true)")) {
            sql("CALL weir.system." + procedure);
            assertThat(rows("SELECT * FROM kept.t ORDER BY id")).as(procedure).isEqualTo(before);
            assertThat(lake.weir().sql("SELECT count(*) AS n FROM kept.t"))
                    .as("by Weir after %s", procedure)
                    .first()
                    .isEqualTo(Map.of("n", 49));
        }
        assertThat(rows("SELECT snapshot_id FROM kept.t.snapshots")).hasSize(1);
    }

    @Test
    void aTableIsRegisteredFromItsMetadataFile() {
        all(
                "CREATE NAMESPACE registered",
                "CREATE TABLE registered.t (id BIGINT) USING iceberg",
                "INSERT INTO registered.t VALUES (1), (2)");
        Object file = sql("SELECT file FROM registered.t.metadata_log_entries ORDER BY timestamp DESC LIMIT 1")
                .single();
        assertThatThrownBy(() -> sql("CALL weir.system.register_table('registered.again', '" + file + "')"))
                .hasMessageContaining("overlaps that of");
        lake.weir().sql("DROP TABLE registered.t PURGE");
        sql("CALL weir.system.register_table('registered.again', '" + file + "')");
        assertThat(rows("SELECT id FROM registered.again ORDER BY id")).containsExactly(List.of(1L), List.of(2L));
        sql("INSERT INTO registered.again VALUES (3)");
        assertThat(rows("SELECT count(*) FROM registered.again")).containsExactly(List.of(3L));
    }

    @Test
    void aDroppedTableIsKeptAndBroughtBackUnlessSparkDeletesItsFilesItself() {
        all("CREATE NAMESPACE dropped", "CREATE TABLE dropped.t AS SELECT 1 AS id");
        sql("DROP TABLE dropped.t");
        assertThat(rows("SHOW TABLES IN dropped")).isEmpty();
        assertThat(lake.dropped("dropped")).containsExactly("t");
        lake.weir().sql("UNDROP TABLE dropped.t");
        assertThat(rows("SELECT id FROM dropped.t")).containsExactly(List.of(1L));

        sql("DROP TABLE weir_purge.dropped.t PURGE");
        assertThat(lake.dropped("dropped")).containsExactly("t");
        lake.weir().sql("UNDROP TABLE dropped.t");
        assertThat(rows("SELECT id FROM dropped.t")).containsExactly(List.of(1L));

        sql("DROP TABLE dropped.t PURGE");
        assertThatThrownBy(() -> lake.weir().sql("UNDROP TABLE dropped.t"))
                .isInstanceOf(WeirServer.RefusedException.class)
                .hasMessageContaining("can not be brought back")
                .hasMessageContaining("rest-catalog-purge");
        sql("CREATE TABLE dropped.t AS SELECT 2 AS id");
        assertThat(rows("SELECT id FROM dropped.t")).containsExactly(List.of(2L));
        assertThatThrownBy(() -> sql("DROP NAMESPACE dropped CASCADE")).hasMessageContaining("not empty");
    }

    @Test
    void aFlowIsUnmovedByMaintenanceAndByPartitionsAndFollowsWhatSparkWritesAfterwards() {
        FlowUnderTest flow = new FlowUnderTest("flowing");
        all(
                "CREATE NAMESPACE flowing",
                "CREATE TABLE flowing.events (id BIGINT, region STRING, amount INT) USING iceberg"
                        + " TBLPROPERTIES ('write.delete.mode' = 'merge-on-read')",
                "INSERT INTO flowing.events VALUES (1, 'north', 10), (2, 'north', 20), (3, 'south', 5)");
        flow.create(lake.weir());
        for (String statement : List.of(
                "INSERT INTO flowing.events VALUES (4, 'west', 1), (5, 'east', -1)",
                "DELETE FROM flowing.events WHERE id = 2",
                "CALL weir.system.rewrite_data_files(table => 'flowing.events', options => map('rewrite-all', 'true'))",
                "ALTER TABLE flowing.events ADD PARTITION FIELD bucket(2, id)",
                "INSERT INTO flowing.events VALUES (6, 'west', 7)",
                "CALL weir.system.rewrite_data_files(table => 'flowing.events', options => map('rewrite-all', 'true'))",
                "CALL weir.system.rewrite_manifests('flowing.events')",
                "CALL weir.system.expire_snapshots(table => 'flowing.events',"
                        + " older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)",
                "INSERT INTO flowing.events VALUES (7, 'north', 3)",
                "ALTER TABLE flowing.events ADD COLUMN note STRING FIRST",
                "INSERT INTO flowing.events VALUES ('x', 8, 'south', 3)",
                "ALTER TABLE flowing.events RENAME COLUMN note TO remark",
                "ALTER TABLE flowing.events ALTER COLUMN amount TYPE BIGINT",
                "INSERT INTO flowing.events VALUES ('y', 9, 'south', 3000000000)",
                "UPDATE flowing.events SET amount = amount + 1",
                "ALTER TABLE flowing.events DROP COLUMN remark",
                "ALTER TABLE flowing.events CREATE BRANCH side",
                "INSERT INTO flowing.events.branch_side VALUES (10, 'north', 3)",
                "CALL weir.system.fast_forward('flowing.events', 'main', 'side')",
                "CREATE OR REPLACE TABLE flowing.events USING iceberg AS SELECT id, region, amount FROM flowing.events"
                        + " WHERE id > 3")) {
            sql(statement);
            flow.assertMoved(lake.weir(), statement, this::sql);
            lake.assertCurrent("flowing");
        }
        for (String refused : List.of(
                "ALTER TABLE flowing.events RENAME COLUMN region TO area",
                "ALTER TABLE flowing.events DROP COLUMN amount",
                "CREATE OR REPLACE TABLE flowing.events USING iceberg AS SELECT 1 AS id",
                "CREATE OR REPLACE TABLE flowing.events USING iceberg AS SELECT 1L AS id, 'x' AS region, 1.5D AS amount",
                "DROP TABLE flowing.events")) {
            assertThatThrownBy(() -> sql(refused)).as(refused).hasMessageContaining("flowing.clean");
        }
        for (String refused : List.of(
                "ALTER TABLE flowing.totals ADD COLUMN x INT",
                "ALTER TABLE flowing.totals CREATE TAG keep",
                "CALL weir.system.rewrite_data_files(table => 'flowing.totals', options => map('rewrite-all', 'true'))",
                "CALL weir.system.expire_snapshots(table => 'flowing.totals',"
                        + " older_than => TIMESTAMP '2100-01-01 00:00:00')",
                "DROP TABLE flowing.totals")) {
            assertThatThrownBy(() -> sql(refused)).as(refused).hasMessageContaining("materialized view");
        }
        sql("INSERT INTO flowing.events VALUES (11, 'south', 3)");
        flow.assertMoved(lake.weir(), "an append after the refusals", this::sql);
    }
}
