package io.weir.incremental.engine;

import static io.weir.incremental.engine.IcebergFiles.record;
import static io.weir.incremental.engine.IcebergFiles.struct;
import static java.util.Arrays.asList;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.incremental.EngineException;
import io.weir.incremental.EqualityDeletes;
import io.weir.incremental.FileRows;
import io.weir.incremental.PositionDeletes;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.TableRows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

class RowScanTest extends EngineFixture {
    private static final Schema TABLE =
            new Schema(required(1, "id", Types.LongType.get()), optional(2, "name", Types.StringType.get()));

    private Path three(String name) {
        return IcebergFiles.data(
                file(name), TABLE, record(TABLE, 0L, "a"), record(TABLE, 1L, null), record(TABLE, 2L, "c"));
    }

    private static FileRows with(Path file, List<PositionDeletes> positions, List<EqualityDeletes> equality) {
        return new FileRows(file.toString(), file, 3, OptionalLong.of(100), 1, positions, equality);
    }

    @Test
    void positionDeletesOfIcebergTakeAwayTheirFilesRowsOnly() {
        Path a = three("a.parquet");
        Path b = three("b.parquet");
        Path c = three("c.parquet");
        Path deletes = IcebergFiles.positionDeletes(
                file("d.parquet"), Map.of(a.toString(), List.of(0L, 2L), b.toString(), List.of(1L)));
        PositionDeletes inFile = new PositionDeletes.InFile(deletes);
        assertThat(read(
                        TABLE,
                        with(a, List.of(inFile), List.of()),
                        with(b, List.of(inFile), List.of()),
                        with(c, List.of(), List.of())))
                .containsExactly(
                        List.of(0L, "a"),
                        List.of(0L, "a"),
                        asList(1L, null),
                        asList(1L, null),
                        List.of(2L, "c"),
                        List.of(2L, "c"));
    }

    @Test
    void aPositionDeleteCountsOnlyForTheFilesItIsAttachedTo() {
        Path a = three("a.parquet");
        Path b = three("b.parquet");
        Path deletes = IcebergFiles.positionDeletes(
                file("d.parquet"), Map.of(a.toString(), List.of(0L), b.toString(), List.of(0L, 1L, 2L)));
        assertThat(read(
                        TABLE,
                        with(a, List.of(new PositionDeletes.InFile(deletes)), List.of()),
                        with(b, List.of(new PositionDeletes.Positions(new long[] {1})), List.of())))
                .containsExactly(List.of(0L, "a"), asList(1L, null), List.of(2L, "c"), List.of(2L, "c"));
    }

    @Test
    void deletionVectorsOfAnySizeApply() {
        Path many = file("many.parquet");
        session.write("SELECT i AS id, 'x' AS name FROM range(10000) AS r(i)", TABLE, many);
        long[] even = LongStream.range(0, 5000).map(i -> 2 * i).toArray();
        assertThat(read(TABLE, with(many, List.of(new PositionDeletes.Positions(even)), List.of())))
                .hasSize(5000)
                .allMatch(row -> (long) row.getFirst() % 2 == 1);
    }

    @Test
    void equalityDeletesFindNullAndSeveralSetsOfFields() {
        Path a = three("a.parquet");
        Path b = three("b.parquet");
        Schema byName = TABLE.select("name");
        Schema byId = TABLE.select("id");
        Path names = IcebergFiles.equalityDeletes(
                file("n.parquet"), byName, List.of(2), record(byName, (Object) null), record(byName, "zzz"));
        Path ids = IcebergFiles.equalityDeletes(file("i.parquet"), byId, List.of(1), record(byId, 2L));
        Path both = IcebergFiles.equalityDeletes(
                file("t.parquet"), TABLE, List.of(1, 2), record(TABLE, 0L, "a"), record(TABLE, 2L, "a"));
        EqualityDeletes nameDeletes = new EqualityDeletes(names, List.of(2), byName);
        assertThat(read(
                        TABLE,
                        with(a, List.of(), List.of(nameDeletes, new EqualityDeletes(ids, List.of(1), byId))),
                        with(b, List.of(), List.of(new EqualityDeletes(both, List.of(1, 2), TABLE), nameDeletes))))
                .containsExactly(List.of(0L, "a"), List.of(2L, "c"));
    }

    @Test
    void equalityDeletesCompareColumnsTheTableNoLongerHas() {
        Path a = three("a.parquet");
        Schema byId = TABLE.select("id");
        Path ids = IcebergFiles.equalityDeletes(file("i.parquet"), byId, List.of(1), record(byId, 2L));
        assertThat(read(TABLE.select("name"), with(a, List.of(), List.of(new EqualityDeletes(ids, List.of(1), byId)))))
                .containsExactly(List.of("a"), asList((Object) null));
    }

    @Test
    void rowsKeepTheirIdentityWhereOthersAreDeleted() {
        Path a = three("a.parquet");
        TableRows rows = new TableRows(
                TABLE, List.of(with(a, List.of(new PositionDeletes.Positions(new long[] {1})), List.of())));
        assertThat(all("SELECT __row_id, __seq, __file, __pos FROM "
                        + session.rows(rows, true).as("t") + " ORDER BY 1"))
                .containsExactly(List.of(100L, 1L, a.toString(), 0L), List.of(102L, 1L, a.toString(), 2L));
    }

    @Test
    void identityWrittenInAFileComesBeforeWhatItInherits() {
        Schema withIdentity = new Schema(
                required(1, "id", Types.LongType.get()),
                RowIdentity.ROW_ID_FIELD,
                RowIdentity.LAST_UPDATED_SEQUENCE_FIELD);
        Path own = IcebergFiles.data(
                file("own.parquet"),
                withIdentity,
                record(withIdentity, 7L, 55L, 3L),
                record(withIdentity, 8L, null, null));
        FileRows noIds = FileRows.of("x", own, 2, OptionalLong.empty(), 9);
        FileRows ids = FileRows.of("y", own, 2, OptionalLong.of(200), 9);
        TableRows rows = new TableRows(TABLE, List.of(noIds, ids));
        assertThat(all("SELECT __file, id, __row_id, __seq FROM "
                        + session.rows(rows, true).as("t") + " ORDER BY 1, 2"))
                .containsExactly(
                        List.of("x", 7L, 55L, 3L),
                        asList("x", 8L, null, 9L),
                        List.of("y", 7L, 55L, 3L),
                        List.of("y", 8L, 201L, 9L));
    }

    @Test
    void noFilesGiveNoRowsOfTheRightTypes() {
        Relation none = session.rows(TableRows.none(TABLE), true);
        assertThat(all("FROM " + none.as("t"))).isEmpty();
        assertThat(session.describe(none.sql()).stream().map(Column::type))
                .containsExactly("BIGINT", "VARCHAR", "BIGINT", "BIGINT", "VARCHAR", "BIGINT");
    }

    @Test
    void olderFilesReadAsTheTableIsNow() {
        Schema old = new Schema(
                required(1, "id", Types.IntegerType.get()),
                optional(2, "was", Types.FloatType.get()),
                optional(3, "amount", Types.DecimalType.of(5, 2)),
                optional(4, "gone", Types.StringType.get()));
        Path file = IcebergFiles.data(file("old.parquet"), old, record(old, 7, 1.5f, new BigDecimal("1.25"), "x"));
        Schema now = new Schema(
                required(1, "id", Types.LongType.get()),
                optional(3, "amount", Types.DecimalType.of(12, 2)),
                optional(2, "renamed", Types.DoubleType.get()),
                optional(5, "gone", Types.StringType.get()),
                Types.NestedField.optional("since")
                        .withId(6)
                        .ofType(Types.DateType.get())
                        .withInitialDefault(Literal.of("2020-02-03").to(Types.DateType.get()))
                        .build(),
                Types.NestedField.optional("it's")
                        .withId(7)
                        .ofType(Types.StringType.get())
                        .withInitialDefault(Literal.of("it's"))
                        .build(),
                Types.NestedField.optional("bytes")
                        .withId(8)
                        .ofType(Types.BinaryType.get())
                        .withInitialDefault(Literal.of(ByteBuffer.wrap(new byte[] {0, -1, 'a'})))
                        .build());
        List<Object> row = read(now, plain(file)).getFirst();
        assertThat(row.subList(0, 6))
                .isEqualTo(asList(7L, new BigDecimal("1.25"), 1.5, null, LocalDate.of(2020, 2, 3), "it's"));
        assertThat((byte[]) row.get(6)).containsExactly(0, -1, 'a');
    }

    @Test
    void everyTypeIcebergWritesIsRead() {
        Schema schema = new Schema(
                optional(1, "b", Types.BooleanType.get()),
                optional(2, "i", Types.IntegerType.get()),
                optional(3, "f", Types.FloatType.get()),
                optional(4, "d", Types.DateType.get()),
                optional(5, "t", Types.TimeType.get()),
                optional(6, "ts", Types.TimestampType.withoutZone()),
                optional(7, "tz", Types.TimestampType.withZone()),
                optional(8, "u", Types.UUIDType.get()),
                optional(9, "dec", Types.DecimalType.of(38, 4)),
                optional(10, "s", Types.StringType.get()),
                optional(11, "bin", Types.BinaryType.get()),
                optional(12, "fix", Types.FixedType.ofLength(3)));
        UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        LocalDateTime time = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 123_456_000);
        OffsetDateTime zoned = OffsetDateTime.parse("2026-05-06T07:08:09.000001Z");
        Path file = IcebergFiles.data(
                file("types.parquet"),
                schema,
                record(
                        schema,
                        true,
                        -5,
                        0.5f,
                        LocalDate.of(1960, 1, 2),
                        LocalTime.of(1, 2, 3, 4000),
                        time,
                        zoned,
                        uuid,
                        new BigDecimal("-123456789012345678901234.5678"),
                        "é",
                        ByteBuffer.wrap(new byte[] {1, 2}),
                        new byte[] {1, 2, 3}));
        List<Object> row = read(schema, plain(file)).getFirst();
        assertThat(row.subList(0, 10))
                .isEqualTo(List.of(
                        true,
                        -5L,
                        0.5f,
                        LocalDate.of(1960, 1, 2),
                        LocalTime.of(1, 2, 3, 4000),
                        time,
                        zoned,
                        uuid,
                        new BigDecimal("-123456789012345678901234.5678"),
                        "é"));
        assertThat((byte[]) row.get(10)).containsExactly(1, 2);
        assertThat((byte[]) row.get(11)).containsExactly(1, 2, 3);
    }

    @Test
    void nestedFieldsAreFoundByIdWhateverTheyAreCalled() {
        Types.StructType oldStruct = Types.StructType.of(
                optional(11, "x", Types.IntegerType.get()),
                optional(12, "y", Types.StringType.get()),
                optional(13, "dropped", Types.StringType.get()));
        Schema old = new Schema(
                required(1, "id", Types.LongType.get()),
                optional(2, "s", oldStruct),
                optional(3, "l", Types.ListType.ofOptional(14, oldStructIn(20))),
                optional(4, "m", Types.MapType.ofOptional(15, 16, Types.StringType.get(), oldStructIn(30))));
        Path file = IcebergFiles.data(
                file("nested.parquet"),
                old,
                record(
                        old,
                        1L,
                        struct(oldStruct, 5, "five", "z"),
                        asList(struct(oldStructIn(20), 6, "six"), null),
                        Map.of("k", struct(oldStructIn(30), 7, "seven"))),
                record(old, 2L, null, null, null),
                record(old, 3L, struct(oldStruct, null, null, null), List.of(), Map.of()));

        Schema same = old;
        assertThat(read(same, plain(file)).getFirst())
                .isEqualTo(List.of(
                        1L,
                        Map.of("x", 5L, "y", "five", "dropped", "z"),
                        asList(Map.of("x", 6L, "y", "six"), null),
                        Map.of("k", Map.of("x", 7L, "y", "seven"))));

        Types.StructType nowStruct = Types.StructType.of(
                optional(12, "x", Types.StringType.get()),
                optional(11, "was_x", Types.LongType.get()),
                optional(40, "dropped", Types.StringType.get()));
        Schema now = new Schema(
                required(1, "id", Types.LongType.get()),
                optional(2, "struct", nowStruct),
                optional(3, "l", Types.ListType.ofOptional(14, nowStructIn(20))),
                optional(4, "m", Types.MapType.ofOptional(15, 16, Types.StringType.get(), nowStructIn(30))));
        assertThat(read(now, plain(file)))
                .containsExactly(
                        List.of(
                                1L,
                                mapOf("x", "five", "was_x", 5L, "dropped", null),
                                asList(Map.of("x", "six", "was_x", 6L), null),
                                Map.of("k", Map.of("x", "seven", "was_x", 7L))),
                        asList(2L, null, null, null),
                        List.of(3L, mapOf("x", null, "was_x", null, "dropped", null), List.of(), Map.of()));
    }

    private static Types.StructType oldStructIn(int id) {
        return Types.StructType.of(
                optional(id, "x", Types.IntegerType.get()), optional(id + 1, "y", Types.StringType.get()));
    }

    private static Types.StructType nowStructIn(int id) {
        return Types.StructType.of(
                optional(id + 1, "x", Types.StringType.get()), optional(id, "was_x", Types.LongType.get()));
    }

    private static Map<String, Object> mapOf(Object... entries) {
        Map<String, Object> map = new java.util.HashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    @Test
    void columnsMayBeCalledLikeTheReadersOwn() {
        Schema schema = new Schema(
                required(1, "file_row_number", Types.LongType.get()),
                optional(2, "filename", Types.StringType.get()),
                optional(3, "f1", Types.StringType.get()),
                optional(4, "file_index", Types.StringType.get()));
        Path file = IcebergFiles.data(file("names.parquet"), schema, record(schema, 5L, "a", "b", "c"));
        TableRows rows = new TableRows(
                schema,
                List.of(new FileRows(
                        "x",
                        file,
                        1,
                        OptionalLong.of(7),
                        1,
                        List.of(new PositionDeletes.Positions(new long[] {99})),
                        List.of())));
        assertThat(all("FROM " + session.rows(rows, true).as("t")))
                .containsExactly(List.of(5L, "a", "b", "c", 7L, 1L, "x", 0L));
    }

    @Test
    void aPathIsReadExactlyWhateverItsCharacters() throws IOException {
        Path odd = Files.createDirectories(file("k=3/o*[d]? {é} %20'\\x"));
        Path wanted = IcebergFiles.data(odd.resolve("a*.parquet"), TABLE, record(TABLE, 1L, "wanted"));
        IcebergFiles.data(odd.resolve("ab.parquet"), TABLE, record(TABLE, 2L, "matched by the star"));
        assertThat(read(TABLE, plain(wanted))).containsExactly(List.of(1L, "wanted"));
    }

    @Test
    void aFileThatIsNoParquetIsNamedAndTheEngineGoesOn() throws IOException {
        Path whole = three("whole.parquet");
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = Files.write(file("cut.parquet"), java.util.Arrays.copyOf(bytes, bytes.length - 20));
        Path empty = Files.write(file("empty.parquet"), new byte[0]);
        Path text = Files.writeString(file("text.parquet"), "hello, this is not Parquet");
        byte[] noise = bytes.clone();
        java.util.Arrays.fill(noise, bytes.length - 200, bytes.length - 8, (byte) 0x5a);
        Path garbled = Files.write(file("garbled.parquet"), noise);
        for (Path bad : List.of(cut, empty, text, garbled, file("missing.parquet"))) {
            assertThatThrownBy(() -> read(TABLE, plain(whole), plain(bad)))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining(bad.toString());
        }
        assertThat(read(TABLE, plain(whole))).hasSize(3);
    }

    @Test
    void pagesThatCannotBeDecodedFailTheStatementAndNotTheEngine() throws IOException {
        Path whole = three("whole.parquet");
        byte[] bytes = Files.readAllBytes(whole);
        java.util.Arrays.fill(bytes, 4, 120, (byte) 0x77);
        Path bad = Files.write(file("pages.parquet"), bytes);
        assertThatThrownBy(() -> read(TABLE, plain(bad))).isInstanceOf(EngineException.class);
        try (EngineSession next = engine.session();
                Rows rows = next.query("FROM "
                        + next.rows(new TableRows(TABLE, List.of(plain(whole))), false)
                                .as("t"))) {
            assertThat(rows.all()).hasSize(3);
        }
    }

    @Test
    void aFileWithoutFieldIdsIsRefusedRatherThanReadAsNulls() {
        Path file = file("noids.parquet");
        session.execute("COPY (SELECT 1 AS id) TO '" + file + "' (FORMAT parquet)");
        assertThatThrownBy(() -> read(TABLE, plain(file)))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("field ids");
    }

    @Test
    void rowsOfManyFilesKeepTheirIdentityWhateverIsFilteredOut() {
        List<FileRows> files = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            long first = 1000L * i;
            Path file = file("many" + i + ".parquet");
            session.write(
                    "SELECT i AS id, 'x' AS name FROM range(" + first + ", " + (first + 1000) + ") AS r(i)",
                    TABLE,
                    file);
            List<PositionDeletes> deletes =
                    i % 3 == 0 ? List.of(new PositionDeletes.Positions(new long[] {5})) : List.of();
            files.add(new FileRows("loc" + i, file, 1000, OptionalLong.of(first), i, deletes, List.of()));
        }
        String rows = session.rows(new TableRows(TABLE, files), true).as("t");
        assertThat(all("SELECT count(*), count(*) FILTER (WHERE __row_id <> id OR __seq <> id // 1000"
                        + " OR __file <> 'loc' || (id // 1000) OR __pos <> id % 1000) FROM " + rows))
                .containsExactly(List.of(60000L - 20, 0L));
        assertThat(all("SELECT id, __row_id, __file, __pos FROM " + rows
                        + " WHERE id IN (30004, 30005, 31007) ORDER BY id"))
                .containsExactly(List.of(30004L, 30004L, "loc30", 4L), List.of(31007L, 31007L, "loc31", 7L));
        assertThat(all("SELECT id FROM " + rows + " WHERE __file = 'loc59' AND __pos = 999"))
                .containsExactly(List.of(59999L));
    }

    @Test
    void positionsGoOnOverRowGroups() {
        Path file = file("groups.parquet");
        session.write("SELECT i AS id, NULL AS name FROM range(300000) AS r(i)", TABLE, file);
        long[] deleted = {0, 122_879, 122_880, 299_999};
        FileRows rows = new FileRows(
                "x", file, 300_000, OptionalLong.of(0), 1, List.of(new PositionDeletes.Positions(deleted)), List.of());
        assertThat(all("SELECT count(*), count(*) FILTER (WHERE id <> __row_id OR id IN (0, 122879, 122880, 299999))"
                        + " FROM "
                        + session.rows(new TableRows(TABLE, List.of(rows)), true)
                                .as("t")))
                .containsExactly(List.of(299_996L, 0L));
    }

    @Test
    void listsAndMapsInTheLayoutsOfOldWritersAreRead() throws IOException {
        MessageType layout = MessageTypeParser.parseMessageType("message m {"
                + " optional group m (MAP) = 1 { repeated group map (MAP_KEY_VALUE) {"
                + " required binary key (UTF8) = 2; optional group value = 3 { optional int32 old = 4; } } }"
                + " optional group l (LIST) = 5 { repeated group array { optional int32 old = 7; } } }");
        Path file = file("layouts.parquet");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
                .withType(layout)
                .build()) {
            Group row = new SimpleGroupFactory(layout).newGroup();
            row.addGroup("m")
                    .addGroup("map")
                    .append("key", "k")
                    .addGroup("value")
                    .append("old", 1);
            row.addGroup("l").addGroup("array").append("old", 2);
            writer.write(row);
        }
        Schema schema = new Schema(optional(
                1,
                "m",
                Types.MapType.ofOptional(
                        2,
                        3,
                        Types.StringType.get(),
                        Types.StructType.of(optional(4, "now", Types.IntegerType.get())))));
        assertThat(read(schema, plain(file))).containsExactly(List.of(Map.of("k", Map.of("now", 1L))));
    }
}
