package io.weir.tests.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.tests.fixtures.WeirProcess;
import java.util.List;

/** The three-stage flow of the tests, and its query from nothing. */
final class FlowSetup {
    static final String BASE = "flow.readings";

    /** Each stage with what it must equal, over the base table. */
    static final List<Stage> STAGES = List.of(
            new Stage(
                    "flow.clean",
                    "SELECT id, site, sensor, value FROM flow.readings WHERE quality <> 'probe'"
                            + " AND (value > 0) IS NOT FALSE"),
            new Stage(
                    "flow.per_sensor",
                    "SELECT site, sensor, count(*) AS n, sum(value)::BIGINT AS total, min(value) AS lo,"
                            + " max(value) AS hi, avg(value) AS mean FROM flow.readings WHERE quality <> 'probe'"
                            + " AND (value > 0) IS NOT FALSE GROUP BY site, sensor"),
            new Stage(
                    "flow.per_site",
                    "SELECT site, sum(n)::BIGINT AS n, sum(total)::BIGINT AS total, max(hi) AS hi FROM"
                            + " (SELECT site, sensor, count(*) AS n, sum(value) AS total, max(value) AS hi"
                            + " FROM flow.readings WHERE quality <> 'probe' AND (value > 0) IS NOT FALSE"
                            + " GROUP BY site, sensor) GROUP BY site"));

    record Stage(String view, String fromNothing) {}

    private FlowSetup() {}

    static void create(WeirProcess weir, int formatVersion) {
        weir.sql("CREATE SCHEMA flow");
        weir.sql("CREATE TABLE flow.readings (id BIGINT, site VARCHAR, sensor VARCHAR, value BIGINT, quality VARCHAR)"
                + " WITH (format_version = " + formatVersion + ")");
        weir.sql("CREATE MATERIALIZED VIEW flow.clean (CONSTRAINT above_zero CHECK (value > 0) ON VIOLATION DROP ROW,"
                + " CONSTRAINT has_sensor EXPECT (sensor IS NOT NULL)) AS"
                + " SELECT id, site, sensor, value FROM flow.readings WHERE quality <> 'probe'");
        weir.sql("CREATE MATERIALIZED VIEW flow.per_sensor AS SELECT site, sensor, count(*) AS n, sum(value) AS total,"
                + " min(value) AS lo, max(value) AS hi, avg(value) AS mean FROM flow.clean GROUP BY site, sensor");
        weir.sql("CREATE MATERIALIZED VIEW flow.per_site AS SELECT site, sum(n) AS n, sum(total) AS total,"
                + " max(hi) AS hi FROM flow.per_sensor GROUP BY site");
    }

    /** One statement, so one version: what a stage holds beyond its query from nothing, and the other way round. */
    static JsonNode difference(WeirProcess weir, Stage stage) {
        String columns = stage.view().equals("flow.clean") ? "id, site, sensor, value" : "*";
        String kept = "SELECT " + columns + " FROM " + stage.view();
        return weir.sql("SELECT 'kept' AS side, * FROM (" + kept + " EXCEPT ALL (" + stage.fromNothing() + "))"
                + " UNION ALL SELECT 'missing' AS side, * FROM ((" + stage.fromNothing() + ") EXCEPT ALL " + kept
                + ")");
    }
}
