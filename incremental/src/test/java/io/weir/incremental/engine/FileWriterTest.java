package io.weir.incremental.engine;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.incremental.EngineException;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.WrittenFile;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class FileWriterTest extends EngineFixture {
    private WrittenFile write(String sql, Schema schema) {
        return session.write(sql, schema, file("out/" + UUID.randomUUID() + ".parquet"));
    }

    private static Object lower(WrittenFile file, Types.NestedField field) {
        return bound(file.metrics().lowerBounds(), field.fieldId(), field.type());
    }

    private static Object upper(WrittenFile file, Types.NestedField field) {
        return bound(file.metrics().upperBounds(), field.fieldId(), field.type());
    }

    private static Object bound(Map<Integer, java.nio.ByteBuffer> bounds, int id, Type type) {
        return bounds.containsKey(id) ? Conversions.fromByteBuffer(type, bounds.get(id)) : null;
    }

    @Test
    void icebergReadsWhatIsWritten() {
        Schema schema = new Schema(
                required(1, "id", Types.LongType.get()),
                optional(2, "b", Types.BooleanType.get()),
                optional(3, "i", Types.IntegerType.get()),
                optional(4, "f", Types.FloatType.get()),
                optional(5, "dt", Types.DateType.get()),
                optional(6, "t", Types.TimeType.get()),
                optional(7, "ts", Types.TimestampType.withoutZone()),
                optional(8, "tz", Types.TimestampType.withZone()),
                optional(9, "u", Types.UUIDType.get()),
                optional(10, "d9", Types.DecimalType.of(9, 2)),
                optional(11, "d38", Types.DecimalType.of(38, 2)),
                optional(12, "s", Types.StringType.get()),
                optional(13, "bin", Types.BinaryType.get()),
                optional(14, "l", Types.ListType.ofOptional(15, Types.IntegerType.get())),
                optional(16, "m", Types.MapType.ofOptional(17, 18, Types.StringType.get(), Types.LongType.get())),
                optional(19, "st", Types.StructType.of(optional(20, "a b", Types.LongType.get()))));
        WrittenFile file = write(
                "SELECT 'x' AS more, 7 AS id, true AS b, 5 AS i, 1.5 AS f, '2020-01-02' AS dt, TIME '01:02:03.000004' AS t,"
                        + " TIMESTAMP '2020-01-02 03:04:05.000006' AS ts, '2020-01-02T03:04:05.000006+01:00' AS tz,"
                        + " '00112233-4455-6677-8899-aabbccddeeff' AS u, 12.345 AS d9, 12.34 AS d38, 'é' AS s,"
                        + " 'ab'::BLOB AS bin, [1, NULL] AS l, MAP {'k': 1} AS m, {'a b': 9} AS st",
                schema);
        Record row = IcebergFiles.read(file.local(), schema).getFirst();
        assertThat(row.get(0)).isEqualTo(7L);
        assertThat(row.get(4)).isEqualTo(LocalDate.of(2020, 1, 2));
        assertThat(row.get(5)).isEqualTo(LocalTime.of(1, 2, 3, 4000));
        assertThat(row.get(6)).isEqualTo(LocalDateTime.of(2020, 1, 2, 3, 4, 5, 6000));
        assertThat(row.get(7)).isEqualTo(OffsetDateTime.parse("2020-01-02T02:04:05.000006Z"));
        assertThat(row.get(8)).isEqualTo(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
        assertThat(row.get(9)).isEqualTo(new BigDecimal("12.35"));
        assertThat(row.get(10)).isEqualTo(new BigDecimal("12.34"));
        assertThat(row.get(11)).hasToString("é");
        assertThat(row.get(13)).isEqualTo(java.util.Arrays.asList(1, null));
        assertThat(row.get(14)).hasToString("{k=1}");
        assertThat(((Record) row.get(15)).get(0)).isEqualTo(9L);
        assertThat(file.recordCount()).isEqualTo(1);
        assertThat(file.sizeBytes()).isEqualTo(file.local().toFile().length());

        for (Types.NestedField field : schema.columns()) {
            boolean bounded = field.type().isPrimitiveType() && field.type().typeId() != Type.TypeID.UUID;
            assertThat(file.metrics().lowerBounds().containsKey(field.fieldId()))
                    .as(field.name())
                    .isEqualTo(bounded);
            assertThat(file.metrics().valueCounts().containsKey(field.fieldId()))
                    .as(field.name())
                    .isEqualTo(bounded);
        }
        assertThat(lower(file, schema.findField("ts"))).isEqualTo(1577934245000006L);
        assertThat(upper(file, schema.findField("tz"))).isEqualTo(1577930645000006L);
        assertThat(lower(file, schema.findField("t"))).isEqualTo(3723000004L);
        assertThat(lower(file, schema.findField("dt"))).isEqualTo(18263);
        assertThat(lower(file, schema.findField("d38"))).isEqualTo(new BigDecimal("12.34"));
        assertThat(lower(file, schema.findField("b"))).isEqualTo(true);
        assertThat(lower(file, schema.findField("st.a b"))).isEqualTo(9L);
        assertThat(file.metrics().valueCounts()).containsEntry(20, 1L);
        assertThat(file.metrics().valueCounts()).doesNotContainKeys(14, 15, 16, 17, 18, 19);
    }

    @Test
    void hiddenColumnsAreWrittenAndInNoMetrics() {
        Schema schema = new Schema(
                required(1, "id", Types.LongType.get()),
                RowIdentity.ROW_ID_FIELD,
                optional(
                        2_000_000_000,
                        "__state",
                        Types.StructType.of(
                                optional(2_000_000_001, "n", Types.LongType.get()),
                                optional(
                                        2_000_000_002,
                                        "vs",
                                        Types.ListType.ofOptional(2_000_000_003, Types.DecimalType.of(38, 0))))));
        WrittenFile file =
                write("SELECT 1 AS id, 5 AS _row_id, {n: 2, vs: [sum(i)]} AS __state FROM range(3) t(i)", schema);
        Metrics metrics = file.metrics();
        assertThat(List.of(
                        metrics.columnSizes().keySet(),
                        metrics.valueCounts().keySet(),
                        metrics.nullValueCounts().keySet(),
                        metrics.lowerBounds().keySet(),
                        metrics.upperBounds().keySet()))
                .allMatch(ids -> ids.equals(java.util.Set.of(1)));
        assertThat(IcebergFiles.read(file.local(), schema.select("id"))
                        .getFirst()
                        .get(0))
                .isEqualTo(1L);
        assertThat(read(schema, plain(file.local())))
                .containsExactly(List.of(1L, 5L, Map.of("n", 2L, "vs", List.of(new BigDecimal(3)))));
    }

    @Test
    void anIntegerSumIsWrittenExactlyAndOverflowIsAnError() {
        Schema schema = new Schema(required(1, "s", Types.LongType.get()));
        WrittenFile file = write("SELECT sum(i) AS s FROM (VALUES (9007199254740993), (0)) AS t(i)", schema);
        assertThat(IcebergFiles.read(file.local(), schema).getFirst().get(0)).isEqualTo(9007199254740993L);
        Path target = file("overflow.parquet");
        assertThatThrownBy(() -> session.write(
                        "SELECT sum(i) AS s FROM (VALUES (9223372036854775807), (1)) AS t(i)", schema, target))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.code()).isEqualTo("22003"));
        assertThat(target).doesNotExist();
    }

    @Test
    void nullInARequiredColumnIsRefusedAndLeavesNoFile() {
        Schema flat = new Schema(required(1, "a", Types.LongType.get()));
        Schema nested = new Schema(required(1, "a", Types.StructType.of(optional(2, "x", Types.LongType.get()))));
        Path target = file("null.parquet");
        for (String sql : List.of("SELECT unnest([1, NULL]) AS a", "SELECT NULL AS a")) {
            assertThatThrownBy(() -> session.write(sql, flat, target))
                    .isInstanceOfSatisfying(
                            EngineException.class, e -> assertThat(e.code()).isEqualTo("23502"))
                    .hasMessageContaining("column a");
        }
        assertThatThrownBy(() -> session.write("SELECT NULL AS a", nested, target))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.code()).isEqualTo("23502"));
        assertThat(target).doesNotExist();
    }

    @Test
    void stringBoundsAreCutAsIcebergDoes() {
        Schema schema = new Schema(
                optional(1, "long", Types.StringType.get()),
                optional(2, "highest", Types.StringType.get()),
                optional(3, "bytes", Types.BinaryType.get()),
                optional(4, "ff", Types.BinaryType.get()));
        WrittenFile file = write(
                "SELECT repeat('é', 40) AS long, repeat(chr(1114111), 20) AS highest, repeat('ab', 20)::BLOB AS bytes,"
                        + " from_hex(repeat('FF', 20)) AS ff",
                schema);
        assertThat(lower(file, schema.findField(1))).hasToString("é".repeat(16));
        assertThat(upper(file, schema.findField(1))).hasToString("é".repeat(15) + "ê");
        assertThat(lower(file, schema.findField(2))).hasToString("\udbff\udfff".repeat(16));
        assertThat(upper(file, schema.findField(2))).isNull();
        assertThat(((java.nio.ByteBuffer) upper(file, schema.findField(3))).get(15))
                .isEqualTo((byte) 'c');
        assertThat(upper(file, schema.findField(4))).isNull();
    }

    @Test
    void boundsOfSeveralRowGroupsCoverEveryRowOrAreLeftOut() {
        Schema schema = new Schema(
                optional(1, "nan_first", Types.DoubleType.get()),
                optional(2, "nan_last", Types.DoubleType.get()),
                optional(3, "only_nan_first", Types.DoubleType.get()),
                optional(4, "long_first", Types.StringType.get()),
                optional(5, "wide_first", Types.StringType.get()),
                optional(6, "wide_last", Types.StringType.get()),
                optional(7, "bytes_first", Types.BinaryType.get()),
                optional(8, "null_first", Types.LongType.get()),
                optional(9, "zeros", Types.DoubleType.get()));
        String first = "i < 122880";
        WrittenFile file = write(
                ("SELECT CASE WHEN i = 3 THEN 'nan'::DOUBLE ELSE i END AS nan_first,"
                                + " CASE WHEN i = 199999 THEN 'nan'::DOUBLE ELSE -i END AS nan_last,"
                                + " CASE WHEN FIRST THEN 'nan'::DOUBLE ELSE i END AS only_nan_first,"
                                + " CASE WHEN FIRST THEN 'a' || repeat('b', 300) ELSE 'z' END AS long_first,"
                                + " CASE WHEN FIRST THEN repeat('é', 300) ELSE 'z' END AS wide_first,"
                                + " CASE WHEN FIRST THEN 'z' ELSE repeat('é', 300) END AS wide_last,"
                                + " CASE WHEN FIRST THEN repeat('a', 300) ELSE 'z' END::BLOB AS bytes_first,"
                                + " CASE WHEN FIRST THEN NULL ELSE i END AS null_first,"
                                + " CASE WHEN i % 2 = 0 THEN 0.0 ELSE -0.0::DOUBLE END AS zeros"
                                + " FROM range(200000) AS r(i) ORDER BY i")
                        .replace("FIRST", first),
                schema);
        for (Types.NestedField field : schema.columns()) {
            Object lower = lower(file, field);
            Object upper = upper(file, field);
            String name = field.name();
            String rows = "read_parquet('" + file.local() + "')";
            if (field.type().typeId() == Type.TypeID.BINARY) {
                continue;
            }
            if (lower != null) {
                assertThat(all("SELECT count(*) FROM " + rows + " WHERE NOT coalesce(isnan(try_cast(" + name
                                + " AS DOUBLE)), false) AND " + name + " < '" + lower + "'"))
                        .as(name + " above " + lower)
                        .containsExactly(List.of(0L));
            }
            if (upper != null) {
                assertThat(all("SELECT count(*) FROM " + rows + " WHERE NOT coalesce(isnan(try_cast(" + name
                                + " AS DOUBLE)), false) AND " + name + " > '" + upper + "'"))
                        .as(name + " below " + upper)
                        .containsExactly(List.of(0L));
            }
        }
        assertThat(lower(file, schema.findField("long_first"))).hasToString("a" + "b".repeat(15));
        assertThat(lower(file, schema.findField("zeros"))).isEqualTo(-0.0);
        assertThat(upper(file, schema.findField("zeros"))).isEqualTo(0.0);
        assertThat(file.metrics().nanValueCounts()).doesNotContainKeys(1, 2, 3);
        assertThat(file.metrics().nullValueCounts()).containsEntry(8, 122880L);
    }

    @Test
    void timesBeyondWhatJavaWritesInFourDigitsHaveBoundsOrNone() {
        Schema schema = new Schema(
                optional(1, "d", Types.DateType.get()), optional(2, "ts", Types.TimestampType.withoutZone()));
        write(
                "SELECT unnest(['infinity'::DATE, '0044-03-15 (BC)'::DATE, '290000-01-01'::DATE]) AS d,"
                        + " 'infinity'::TIMESTAMP AS ts",
                schema);
        WrittenFile old = write("SELECT '0001-01-01'::DATE AS d, '1900-01-01 00:00:00'::TIMESTAMP AS ts", schema);
        assertThat(lower(old, schema.findField(2))).isEqualTo(-2208988800000000L);
    }

    @Test
    void aFixedColumnTakesItsLengthOnly() {
        Schema schema = new Schema(optional(1, "f", Types.FixedType.ofLength(2)));
        WrittenFile file = write("SELECT 'ab'::BLOB AS f", schema);
        assertThat(read(schema, plain(file.local()))).hasSize(1);
        assertThatThrownBy(() -> write("SELECT 'abc'::BLOB AS f", schema)).isInstanceOf(EngineException.class);
    }

    @Test
    void anEmptyResultIsAFileWithoutRows() {
        Schema schema = new Schema(optional(1, "a", Types.LongType.get()));
        WrittenFile file = write("SELECT 1 AS a WHERE false", schema);
        assertThat(file.recordCount()).isZero();
        assertThat(IcebergFiles.read(file.local(), schema)).isEmpty();
    }
}
