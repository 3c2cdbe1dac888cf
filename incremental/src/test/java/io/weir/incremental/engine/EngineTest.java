package io.weir.incremental.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.incremental.FileRows;
import io.weir.incremental.SystemColumns;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "name", Types.StringType.get()));

    @TempDir
    Path folder;

    @Test
    void whatIsWrittenIsReadWithIdentity() {
        try (Engine engine = Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
                EngineSession session = engine.session()) {
            WrittenFile written = session.write(
                    "SELECT i AS id, 'n' || i AS name FROM range(3) AS t(i)", SCHEMA, folder.resolve("a.parquet"));
            assertThat(written.recordCount()).isEqualTo(3);
            TableRows rows = new TableRows(
                    SCHEMA,
                    List.of(
                            FileRows.of("s3://b/a", written.local(), 3, OptionalLong.of(100), 7),
                            FileRows.of("s3://b/b", written.local(), 3, OptionalLong.of(200), 8)));
            try (Rows all = session.query("FROM " + session.rows(rows, true).as("t") + " ORDER BY __row_id")) {
                assertThat(all.all())
                        .hasSize(6)
                        .startsWith(List.of(0L, "n0", 100L, 7L, "s3://b/a", 0L))
                        .endsWith(List.of(2L, "n2", 202L, 8L, "s3://b/b", 2L));
            }
        }
    }

    @Test
    void anExposedTableGivesTheSystemColumnsItIsAskedFor() {
        try (Engine engine = Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
                EngineSession session = engine.session()) {
            WrittenFile written = session.write(
                    "SELECT i AS id, 'n' || i AS name FROM range(3) AS t(i)", SCHEMA, folder.resolve("a.parquet"));
            TableRows rows =
                    new TableRows(SCHEMA, List.of(FileRows.of("a", written.local(), 3, OptionalLong.of(100), 7)));
            Instant created = Instant.parse("2026-01-01T00:00:00Z");
            Instant updated = Instant.parse("2026-01-02T00:00:00Z");
            SystemColumns lineage = new SystemColumns(
                    List.of(new SystemColumns.Range(100, 2, 4, created)),
                    List.of(new SystemColumns.Sequence(7, 5, updated)));
            session.expose("a.b", "t", rows, () -> lineage, EnumSet.allOf(SystemColumn.class));
            session.expose("a.b", "u", rows, () -> lineage, EnumSet.noneOf(SystemColumn.class));
            try (Rows all = session.query("SELECT * FROM \"a.b\".t ORDER BY id")) {
                assertThat(all.all())
                        .startsWith(List.of(
                                0L, "n0", 100L, 5L, created.atOffset(ZoneOffset.UTC), updated.atOffset(ZoneOffset.UTC)))
                        .endsWith(java.util.Arrays.asList(2L, "n2", 102L, 5L, null, updated.atOffset(ZoneOffset.UTC)));
            }
            try (Rows all = session.query("SELECT * FROM \"a.b\".u WHERE id = 1")) {
                assertThat(all.all()).containsExactly(List.of(1L, "n1"));
            }
        }
    }
}
