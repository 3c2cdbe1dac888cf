package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.tests.fixtures.Fixture;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Trino's own usual statements through the catalog, on a lake on S3. */
@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrinoStatementsTest {
    private final ServedLake lake = new ServedLake("trino");
    private final Fixture<TrinoEngine> trino = new Fixture<>(() -> TrinoEngine.start(lake.address()));

    @AfterAll
    void stop() {
        trino.close();
        lake.close();
    }

    private Answer sql(String statement) {
        return trino.get().sql(statement);
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
    void schemasAreMadeListedAndDroppedWithWhatTheyHold() {
        all(
                "CREATE SCHEMA spaces",
                "CREATE SCHEMA IF NOT EXISTS spaces",
                "CREATE TABLE spaces.t AS SELECT 1 AS id",
                "CREATE VIEW spaces.v AS SELECT id FROM spaces.t");
        assertThat(rows("SHOW SCHEMAS")).contains(List.of("spaces"), List.of("default"));
        assertThat(sql("SHOW CREATE SCHEMA spaces").single().toString()).contains("CREATE SCHEMA weir.spaces");
        assertThatThrownBy(() -> sql("DROP SCHEMA spaces")).hasMessageContaining("Cannot drop non-empty schema");
        sql("DROP SCHEMA spaces CASCADE");
        assertThat(rows("SHOW SCHEMAS")).doesNotContain(List.of("spaces"));
        assertThat(lake.dropped("spaces")).containsExactly("t");
        lake.weir().sql("CREATE SCHEMA spaces; UNDROP TABLE spaces.t");
        assertThat(rows("SELECT id FROM spaces.t")).containsExactly(List.of(1L));
    }

    @Test
    void tablesAreMadeReplacedAndFilledFromQueries() {
        all(
                "CREATE SCHEMA made",
                "CREATE TABLE made.t (id BIGINT NOT NULL, name VARCHAR, ts TIMESTAMP(6)) COMMENT 'a table'"
                        + " WITH (partitioning = ARRAY['day(ts)'], sorted_by = ARRAY['id'])",
                "INSERT INTO made.t VALUES (1, 'a', TIMESTAMP '2024-01-01 10:00:00'), (2, 'b', NULL)",
                "CREATE TABLE made.c WITH (partitioning = ARRAY['bucket(id, 4)']) AS SELECT id, name FROM made.t");
        assertThat(sql("SHOW CREATE TABLE made.t").single().toString())
                .contains("COMMENT 'a table'", "'day(ts)'", "'id ASC NULLS FIRST'", "id bigint NOT NULL");
        assertThat(rows("SELECT * FROM made.c ORDER BY id")).containsExactly(List.of(1L, "a"), List.of(2L, "b"));
        sql("CREATE OR REPLACE TABLE made.c AS SELECT id, name, 7 AS seven FROM made.t");
        assertThat(rows("SELECT * FROM made.c ORDER BY id"))
                .containsExactly(List.of(1L, "a", 7L), List.of(2L, "b", 7L));
        sql("CREATE OR REPLACE TABLE made.c (z INTEGER)");
        assertThat(sql("SELECT * FROM made.c").columns()).containsExactly("z");
        all(
                "CREATE TABLE IF NOT EXISTS made.c (other INTEGER)",
                "CREATE TABLE made.e AS SELECT id FROM made.t WITH NO DATA",
                "ALTER TABLE made.c RENAME TO made.d",
                "TRUNCATE TABLE made.t");
        assertThat(rows("SHOW TABLES FROM made")).containsExactly(List.of("d"), List.of("e"), List.of("t"));
        assertThat(rows("SELECT count(*) FROM made.t")).containsExactly(List.of(0L));
        assertThatThrownBy(() -> sql("CREATE TABLE made.t (id INTEGER)")).hasMessageContaining("already exists");
    }

    @Test
    void tableSchemasAndPartitionsEvolve() {
        all(
                "CREATE SCHEMA evolving",
                "CREATE TABLE evolving.t (id BIGINT NOT NULL, name VARCHAR, p ROW(x INTEGER, y REAL),"
                        + " l ARRAY(ROW(a INTEGER))) WITH (partitioning = ARRAY['name'])",
                "INSERT INTO evolving.t VALUES (1, 'a', ROW(1, REAL '1.5'), ARRAY[ROW(1)])",
                "ALTER TABLE evolving.t ADD COLUMN extra VARCHAR AFTER id",
                "ALTER TABLE evolving.t ADD COLUMN p.z DOUBLE",
                "ALTER TABLE evolving.t ADD COLUMN l.element.b VARCHAR",
                "ALTER TABLE evolving.t RENAME COLUMN name TO title",
                "ALTER TABLE evolving.t RENAME COLUMN p.x TO xx",
                "ALTER TABLE evolving.t ALTER COLUMN p.xx SET DATA TYPE BIGINT",
                "ALTER TABLE evolving.t ALTER COLUMN id DROP NOT NULL",
                "ALTER TABLE evolving.t DROP COLUMN extra",
                "COMMENT ON TABLE evolving.t IS 'other'",
                "COMMENT ON COLUMN evolving.t.id IS 'the key'",
                "ALTER TABLE evolving.t SET PROPERTIES partitioning = ARRAY['bucket(id, 4)']",
                "INSERT INTO evolving.t SELECT 2, 'b', p, l FROM evolving.t");
        assertThat(rows("SELECT id, title, p.xx, p.y, p.z, l[1].a, l[1].b FROM evolving.t ORDER BY id"))
                .containsExactly(
                        Arrays.asList(1L, "a", 1L, "1.5", null, 1L, null),
                        Arrays.asList(2L, "b", 1L, "1.5", null, 1L, null));
        assertThat(rows("DESCRIBE evolving.t")).contains(List.of("id", "bigint", "", "the key"));
        assertThat(rows("SELECT record_count FROM evolving.\"t$partitions\"")).hasSize(2);
    }

    @Test
    void thePastIsReadAndRolledBackTo() {
        all(
                "CREATE SCHEMA past",
                "CREATE TABLE past.t (id BIGINT)",
                "INSERT INTO past.t VALUES 1",
                "INSERT INTO past.t VALUES 2");
        List<List<Object>> snapshots = rows("SELECT snapshot_id, CAST(committed_at AT TIME ZONE 'UTC' AS VARCHAR)"
                + " FROM past.\"t$snapshots\" WHERE element_at(summary, 'added-records') = '1' ORDER BY committed_at");
        assertThat(snapshots).hasSize(2);
        Object first = snapshots.getFirst().getFirst();
        assertThat(rows("SELECT id FROM past.t FOR VERSION AS OF " + first)).containsExactly(List.of(1L));
        assertThat(rows("SELECT id FROM past.t FOR TIMESTAMP AS OF TIMESTAMP '"
                        + snapshots.getFirst().get(1) + "'"))
                .containsExactly(List.of(1L));
        assertThatThrownBy(() -> sql("SELECT id FROM past.t FOR TIMESTAMP AS OF TIMESTAMP '2001-01-01 00:00:00 UTC'"))
                .hasMessageContaining("No version history");
        sql("ALTER TABLE past.t EXECUTE rollback_to_snapshot(" + first + ")");
        assertThat(rows("SELECT id FROM past.t")).containsExactly(List.of(1L));
    }

    @Test
    void rowsAreMergedUpdatedAndOptimizedAndStayWhatTheyAre() {
        all(
                "CREATE SCHEMA kept",
                "CREATE TABLE kept.t (id BIGINT, v VARCHAR) WITH (partitioning = ARRAY['bucket(id, 2)'])",
                "INSERT INTO kept.t SELECT n, 'v' || CAST(n AS VARCHAR) FROM UNNEST(sequence(0, 49)) AS s(n)",
                "MERGE INTO kept.t t USING (VALUES (2, 'm'), (900, 'n'), (3, 'x')) s(id, v) ON t.id = s.id"
                        + " WHEN MATCHED AND s.v = 'x' THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v"
                        + " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
                "UPDATE kept.t SET v = 'u' WHERE id = 5",
                "DELETE FROM kept.t WHERE id = 7");
        List<List<Object>> before = rows("SELECT * FROM kept.t ORDER BY id");
        assertThat(before).hasSize(49).contains(List.of(2L, "m"), List.of(900L, "n"), List.of(5L, "u"));
        for (String statement : List.of(
                "ALTER TABLE kept.t EXECUTE optimize(file_size_threshold => '10MB')",
                "ALTER TABLE kept.t EXECUTE optimize_manifests",
                "ANALYZE kept.t",
                "ALTER TABLE kept.t EXECUTE drop_extended_stats",
                "ALTER TABLE kept.t EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => 1)",
                "ALTER TABLE kept.t EXECUTE remove_orphan_files(retention_threshold => '0s')")) {
            sql(statement);
            assertThat(rows("SELECT * FROM kept.t ORDER BY id")).as(statement).isEqualTo(before);
            assertThat(lake.weir().sql("SELECT count(*) AS n FROM kept.t"))
                    .as("by Weir after %s", statement)
                    .first()
                    .isEqualTo(Map.of("n", 49));
        }
        assertThat(rows("SELECT count(*) FROM kept.\"t$snapshots\"")).containsExactly(List.of(1L));
    }

    @Test
    void aTableIsUnregisteredRegisteredAndDroppedAndKeptForItsRetention() {
        all("CREATE SCHEMA dropped", "CREATE TABLE dropped.t AS SELECT 1 AS id");
        String file = sql("SELECT file FROM dropped.\"t$metadata_log_entries\" ORDER BY timestamp DESC LIMIT 1")
                .single()
                .toString();
        sql("DROP TABLE dropped.t");
        assertThat(rows("SHOW TABLES FROM dropped")).isEmpty();
        assertThat(lake.dropped("dropped")).containsExactly("t");
        lake.weir().sql("UNDROP TABLE dropped.t");
        assertThat(rows("SELECT id FROM dropped.t")).containsExactly(List.of(1L));
        lake.weir().sql("DROP TABLE dropped.t PURGE");
        int folder = file.lastIndexOf("/metadata/");
        sql("CALL weir.system.register_table(schema_name => 'dropped', table_name => 'again', table_location => '"
                + file.substring(0, folder) + "', metadata_file_name => '"
                + file.substring(folder + "/metadata/".length()) + "')");
        assertThat(rows("SELECT id FROM dropped.again")).containsExactly(List.of(1L));
    }

    @Test
    void aFlowIsUnmovedByMaintenanceAndByPartitionsAndFollowsWhatTrinoWritesAfterwards() {
        FlowUnderTest flow = new FlowUnderTest("flowing");
        all(
                "CREATE SCHEMA flowing",
                "CREATE TABLE flowing.events (id BIGINT, region VARCHAR, amount INTEGER)",
                "INSERT INTO flowing.events VALUES (1, 'north', 10), (2, 'north', 20), (3, 'south', 5)");
        flow.create(lake.weir());
        for (String statement : List.of(
                "INSERT INTO flowing.events VALUES (4, 'west', 1), (5, 'east', -1)",
                "DELETE FROM flowing.events WHERE id = 2",
                "ALTER TABLE flowing.events EXECUTE optimize",
                "ALTER TABLE flowing.events SET PROPERTIES partitioning = ARRAY['bucket(id, 2)']",
                "INSERT INTO flowing.events VALUES (6, 'west', 7)",
                "ALTER TABLE flowing.events EXECUTE optimize",
                "ALTER TABLE flowing.events EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => 1)",
                "ALTER TABLE flowing.events EXECUTE remove_orphan_files(retention_threshold => '0s')",
                "ALTER TABLE flowing.totals EXECUTE remove_orphan_files(retention_threshold => '0s')",
                "INSERT INTO flowing.events VALUES (7, 'north', 3)",
                "ALTER TABLE flowing.events ADD COLUMN note VARCHAR",
                "ALTER TABLE flowing.events RENAME COLUMN note TO remark",
                "ALTER TABLE flowing.events ALTER COLUMN amount SET DATA TYPE BIGINT",
                "INSERT INTO flowing.events VALUES (9, 'south', 3000000000, 'y')",
                "UPDATE flowing.events SET amount = amount + 1",
                "ALTER TABLE flowing.events DROP COLUMN remark",
                "CREATE OR REPLACE TABLE flowing.events AS SELECT id, region, amount FROM flowing.events"
                        + " WHERE id > 3")) {
            sql(statement);
            flow.assertMoved(lake.weir(), statement, this::sql);
            lake.assertCurrent("flowing");
        }
        for (String refused : List.of(
                "ALTER TABLE flowing.events RENAME COLUMN region TO area",
                "ALTER TABLE flowing.events DROP COLUMN amount",
                "DROP TABLE flowing.events")) {
            assertThatThrownBy(() -> sql(refused)).as(refused).hasMessageContaining("flowing.clean");
        }
        for (String refused : List.of(
                "INSERT INTO flowing.totals VALUES (1, 1, 1, 1, 1)",
                "ALTER TABLE flowing.totals EXECUTE expire_snapshots(retention_threshold => '0s')",
                "DROP TABLE flowing.totals")) {
            assertThatThrownBy(() -> sql(refused)).as(refused).hasMessageContaining("materialized view");
        }
        lake.restart();
        sql("INSERT INTO flowing.events VALUES (11, 'south', 3)");
        flow.assertMoved(lake.weir(), "maintenance and a restart of the catalog", this::sql);
    }
}
