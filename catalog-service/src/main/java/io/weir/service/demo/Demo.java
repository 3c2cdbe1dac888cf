package io.weir.service.demo;

import io.weir.coordinator.Caller;
import io.weir.coordinator.Version;
import io.weir.incremental.engine.Column;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.service.statement.AnswerSink;
import io.weir.service.statement.SqlRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;

/**
 * The tour: a three-stage flow, an append by an outside engine through the REST catalog, and what the one commit moved.
 * Each figure shown is read back from the server; one that is not as expected ends the demo with an error.
 */
public final class Demo {
    private final PrintWriter out;
    private final WeirServer server;

    private Demo(PrintWriter out, WeirServer server) {
        this.out = out;
        this.server = server;
    }

    public static void run(PrintWriter out) {
        Path folder = temporaryFolder();
        Settings settings = Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("demo=" + folder.resolve("lake")),
                        Setting.LISTEN, List.of("127.0.0.1:0")));
        try (WeirServer server = WeirServer.start(settings)) {
            new Demo(out, server).tour();
        } finally {
            remove(folder);
        }
    }

    private void tour() {
        title("A fresh lake, served at " + server.url() + " (Iceberg REST and SQL)");
        run("CREATE SCHEMA plant");
        run("CREATE TABLE plant.readings (id BIGINT, site VARCHAR, sensor VARCHAR, value BIGINT, quality VARCHAR)");

        title("A flow of three stages, with expectations that keep and that drop rows");
        run("""
                CREATE MATERIALIZED VIEW plant.clean
                  (CONSTRAINT above_zero CHECK (value > 0) ON VIOLATION DROP ROW,
                   CONSTRAINT has_sensor EXPECT (sensor IS NOT NULL))
                  AS SELECT id, site, sensor, value FROM plant.readings WHERE quality <> 'probe'""");
        run("""
                CREATE MATERIALIZED VIEW plant.per_sensor
                  AS SELECT site, sensor, count(*) AS n, sum(value) AS total FROM plant.clean GROUP BY site, sensor""");
        run("""
                CREATE MATERIALIZED VIEW plant.per_site
                  AS SELECT site, sum(n) AS n, sum(total) AS total FROM plant.per_sensor GROUP BY site""");

        title("An outside engine appends six rows through the REST catalog, with Iceberg's own client");
        outsideAppend();
        Version version = server.lakes().first().lake().state().version();
        say("One commit, version " + version + ", holds the rows and all three stages:");
        show("SELECT table_name, operation, added_rows, author, engine FROM weir.commits WHERE version = " + version
                + " ORDER BY table_name");
        expect(
                show("SELECT site, n, total FROM plant.per_site ORDER BY site"),
                List.of(List.of("north", 2L, 40L), List.of("south", 1L, 7L), List.of("west", 1L, 1L)));
        show("SELECT schema, name, kind, refresh, state, version FROM weir.flows ORDER BY name");

        title("What the expectations counted, exactly");
        expect(
                show("SELECT view, expectation, on_violation, failed_rows FROM weir.expectations ORDER BY expectation"),
                List.of(List.of("clean", "above_zero", "drop", 1L), List.of("clean", "has_sensor", "keep", 2L)));

        title("Rows know who they are and which commit wrote them, though the outside engine's file does not say");
        show("SELECT id, value, _row_id, _version, _created_at FROM plant.readings ORDER BY id");
        run("UPDATE plant.readings SET value = value + 5 WHERE id = 1");
        show("SELECT r.id, r.value, r._row_id, r._version AS newer, c._version AS in_stage"
                + " FROM plant.readings r JOIN plant.clean c USING (id) WHERE id = 1");
        expect(show("SELECT total FROM plant.per_site WHERE site = 'north'"), List.of(List.of(45L)));

        title("A table is dropped, and brought back with its rows");
        run("CREATE TABLE plant.notes AS SELECT id, site FROM plant.readings");
        run("DROP TABLE plant.notes");
        show("SELECT schema, name, rows_in_files, kept_until FROM weir.dropped");
        run("UNDROP TABLE plant.notes");
        expect(show("SELECT count(*) AS rows FROM plant.notes"), List.of(List.of(6L)));
        say("Done. Try it yourself: ./weir serve, then ./weir sql");
    }

    private void outsideAppend() {
        try (OutsideWriter writer = new OutsideWriter(server.url().toString(), "demo")) {
            Table readings = writer.table("plant", "readings");
            writer.append(
                    readings,
                    List.of(
                            List.of(1L, "north", "a", 10L, "good"),
                            List.of(2L, "north", "b", -4L, "good"),
                            Arrays.asList(3L, "south", null, 7L, "good"),
                            List.of(4L, "south", "c", 99L, "probe"),
                            List.of(5L, "north", "a", 30L, "good"),
                            Arrays.asList(6L, "west", null, 1L, "good")));
        } catch (IOException e) {
            throw new UncheckedIOException("the outside engine's catalog does not close", e);
        }
    }

    private void title(String text) {
        out.println();
        out.println("== " + text);
        out.flush();
    }

    private void say(String text) {
        out.println(text);
        out.flush();
    }

    private void run(String sql) {
        out.println("sql> " + sql.strip().replace("\n", "\n     ") + ";");
        out.flush();
        ask(sql);
    }

    private List<List<Object>> show(String sql) {
        Answer answer = ask(sql);
        out.println("sql> " + sql + ";");
        out.println(answer.table());
        out.flush();
        return answer.rows;
    }

    private Answer ask(String sql) {
        var answer = new Answer();
        server.lakes()
                .first()
                .statements()
                .run(new SqlRequest(sql, Map.of(), Optional.empty(), new Caller("demo", "weir")), answer);
        return answer;
    }

    private static void expect(List<List<Object>> rows, List<List<Object>> expected) {
        if (!rows.equals(expected)) {
            throw new IllegalStateException("the demo expected " + expected + " and got " + rows);
        }
    }

    private static final class Answer implements AnswerSink {
        private final List<String> names = new ArrayList<>();
        private final List<List<Object>> rows = new ArrayList<>();

        @Override
        public void start(Version version, List<Column> columns) {
            columns.forEach(column -> names.add(column.name()));
        }

        @Override
        public void row(List<Object> values) {
            rows.add(values);
        }

        String table() {
            var lines = new ArrayList<List<String>>();
            lines.add(names);
            rows.forEach(row -> lines.add(row.stream()
                    .map(value -> value == null ? "NULL" : value.toString())
                    .toList()));
            return lines.stream().map(line -> line(line, lines)).collect(Collectors.joining("\n"));
        }

        private static String line(List<String> cells, List<List<String>> lines) {
            var text = new StringBuilder("    ");
            for (int i = 0; i < cells.size(); i++) {
                int column = i;
                int width = lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0);
                text.append(cells.get(i)).repeat(' ', width - cells.get(i).length() + 2);
            }
            return text.toString().stripTrailing();
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("weir-demo-");
        } catch (IOException e) {
            throw new UncheckedIOException("a temporary folder for the demo cannot be made", e);
        }
    }

    private static void remove(Path folder) {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the demo's folder cannot be removed: " + folder, e);
        }
    }
}
