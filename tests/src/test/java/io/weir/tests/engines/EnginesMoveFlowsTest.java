package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.tests.fixtures.Fixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Outside engines, each a real process, write through Weir's catalog on a real S3 server: after each acknowledged write
 * the last stage shows it, in that engine and in Weir, and equals the query run from nothing.
 */
@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnginesMoveFlowsTest {
    private final ServedLake lake = new ServedLake("flows");
    private final Fixture<SparkEngine> spark = new Fixture<>(() -> SparkEngine.start(lake.address()));
    private final Fixture<TrinoEngine> trino = new Fixture<>(() -> TrinoEngine.start(lake.address()));
    private final Fixture<PyIcebergEngine> python = new Fixture<>(() -> PyIcebergEngine.start(lake.address()));

    @AfterAll
    void stop() {
        spark.close();
        trino.close();
        python.close();
        lake.close();
    }

    @ParameterizedTest
    @CsvSource({"2, copy-on-write", "2, merge-on-read", "3, copy-on-write", "3, merge-on-read"})
    void whatSparkAppendsUpdatesAndDeletesIsInTheLastStage(int formatVersion, String mode) {
        FlowUnderTest flow = new FlowUnderTest("spark_v" + formatVersion + "_" + mode.replace('-', '_'));
        spark.get().sql("CREATE NAMESPACE " + flow.namespace());
        spark.get()
                .sql(("CREATE TABLE %s (id BIGINT, region STRING, amount BIGINT) USING iceberg TBLPROPERTIES"
                                + " ('format-version' = '%d', 'write.delete.mode' = '%s', 'write.update.mode' = '%s',"
                                + " 'write.merge.mode' = '%s')")
                        .formatted(flow.events(), formatVersion, mode, mode, mode));
        flow.create(lake.weir());
        for (String statement : List.of(
                "INSERT INTO %s VALUES (1, 'north', 10), (2, 'north', 20), (3, 'south', 5), (4, NULL, 7), (5, 'east', -1)",
                "INSERT INTO %s SELECT id + 100, concat('r', cast(id %% 7 AS STRING)), id %% 50 - 5 FROM range(1000)",
                "UPDATE %s SET amount = amount + 1 WHERE id = 2",
                "UPDATE %s SET region = 'west' WHERE id IN (3, 4, 200, 300)",
                "UPDATE %s SET amount = -amount WHERE id > 900",
                "DELETE FROM %s WHERE id = 1",
                "DELETE FROM %s WHERE region = 'r3'",
                "MERGE INTO %s t USING (SELECT 2 AS id UNION ALL SELECT 9001) s ON t.id = s.id"
                        + " WHEN MATCHED THEN UPDATE SET amount = 77"
                        + " WHEN NOT MATCHED THEN INSERT (id, region, amount) VALUES (s.id, 'new', 3)",
                "INSERT INTO %s VALUES (9002, 'north', 1)",
                "INSERT OVERWRITE %s VALUES (1, 'over', 4), (2, 'over', 5), (3, 'written', 6)",
                "DELETE FROM %s WHERE region = 'over' AND amount = 4")) {
            String run = statement.formatted(flow.events());
            spark.get().sql(run);
            flow.assertMoved(lake.weir(), run, query -> spark.get().sql(query));
        }
    }

    @Test
    void whatPyIcebergAppendsOverwritesAndDeletesIsInTheLastStage() {
        FlowUnderTest flow = new FlowUnderTest("python");
        PyIcebergEngine writer = python.get();
        writer.createNamespace(flow.namespace());
        writer.create(
                flow.events(), List.of(List.of("id", "long"), List.of("region", "string"), List.of("amount", "long")));
        flow.create(lake.weir());
        writer.append(flow.events(), rows(1, 40));
        flow.assertMovedByScan(lake.weir(), "an append", writer);
        writer.append(flow.events(), rows(41, 1000));
        flow.assertMovedByScan(lake.weir(), "a larger append", writer);
        writer.delete(flow.events(), "region = 'r2'");
        flow.assertMovedByScan(lake.weir(), "a delete", writer);
        writer.delete(flow.events(), "id < 20");
        flow.assertMovedByScan(lake.weir(), "a second delete", writer);
        writer.overwrite(flow.events(), "id >= 900", rows(2000, 2005));
        flow.assertMovedByScan(lake.weir(), "an overwrite of some rows", writer);
        writer.upsert(flow.events(), List.of("id"), rows(1995, 2003));
        flow.assertMovedByScan(lake.weir(), "an upsert", writer);
        writer.overwrite(flow.events(), rows(1, 9));
        flow.assertMovedByScan(lake.weir(), "an overwrite of everything", writer);
    }

    private static List<Map<String, Object>> rows(int from, int to) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int id = from; id <= to; id++) {
            rows.add(Map.of("id", id, "region", "r" + id % 5, "amount", id % 11 - 2));
        }
        return rows;
    }

    @Test
    void whatTrinoAppendsIsInTheLastStageAndTrinoReadsIt() {
        FlowUnderTest flow = new FlowUnderTest("trino");
        TrinoEngine writer = trino.get();
        writer.sql("CREATE SCHEMA " + flow.namespace());
        writer.sql("CREATE TABLE " + flow.events() + " (id BIGINT, region VARCHAR, amount BIGINT)");
        flow.create(lake.weir());
        for (String statement : List.of(
                "INSERT INTO %s VALUES (1, 'north', 10), (2, 'south', 20), (3, NULL, 5)",
                "INSERT INTO %s SELECT n, 'r' || cast(n %% 3 AS VARCHAR), n FROM UNNEST(sequence(10, 500)) AS t(n)",
                "UPDATE %s SET amount = amount * 2 WHERE id < 100",
                "DELETE FROM %s WHERE region = 'r1'")) {
            String run = statement.formatted(flow.events());
            writer.sql(run);
            flow.assertMoved(lake.weir(), run, writer::sql);
        }
    }

    @Test
    void enginesWritingOneTableInTurnSeeEachOthersRowsInEveryStage() {
        FlowUnderTest flow = new FlowUnderTest("together");
        spark.get().sql("CREATE NAMESPACE " + flow.namespace());
        spark.get()
                .sql("CREATE TABLE " + flow.events() + " (id BIGINT, region STRING, amount BIGINT) USING iceberg"
                        + " TBLPROPERTIES ('format-version' = '2')");
        spark.get().sql("INSERT INTO " + flow.events() + " VALUES (1, 'north', 10)");
        flow.create(lake.weir());
        flow.assertMoved(lake.weir(), "filling", query -> spark.get().sql(query));
        trino.get().sql("INSERT INTO " + flow.events() + " VALUES (2, 'north', 20), (3, 'south', 30)");
        flow.assertMoved(lake.weir(), "Trino's append", query -> spark.get().sql(query));
        python.get().append(flow.events(), rows(10, 30));
        flow.assertMoved(lake.weir(), "PyIceberg's append", query -> trino.get().sql(query));
        lake.weir()
                .sql("INSERT INTO " + flow.events() + " VALUES (40, 'west', 1); DELETE FROM " + flow.events()
                        + " WHERE id = 11");
        flow.assertMovedByScan(lake.weir(), "Weir's own insert and delete", python.get());
        flow.assertMoved(
                lake.weir(), "the same, read by Trino", query -> trino.get().sql(query));
        spark.get().sql("UPDATE " + flow.events() + " SET region = 'moved' WHERE id < 15");
        flow.assertMoved(lake.weir(), "Spark's update", query -> trino.get().sql(query));
    }

    @Test
    void aViewIsRefusedToOtherWritersAndATableThatIsFollowedIsNotDropped() {
        FlowUnderTest flow = new FlowUnderTest("refused");
        spark.get().sql("CREATE NAMESPACE " + flow.namespace());
        spark.get().sql("CREATE TABLE " + flow.events() + " (id BIGINT, region STRING, amount BIGINT) USING iceberg");
        flow.create(lake.weir());
        assertThatThrownBy(() -> spark.get().sql("INSERT INTO " + flow.totals() + " VALUES (1, 1, 1, 1, 1)"))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("totals");
        assertThatThrownBy(() -> spark.get().sql("DROP TABLE " + flow.events())).isInstanceOf(EngineException.class);
        spark.get().sql("INSERT INTO " + flow.events() + " VALUES (1, 'north', 10)");
        flow.assertMoved(
                lake.weir(),
                "an append after the refusals",
                query -> spark.get().sql(query));
        assertThat(spark.get().sql("SHOW TABLES IN " + flow.namespace()).rows()).hasSize(4);
    }
}
