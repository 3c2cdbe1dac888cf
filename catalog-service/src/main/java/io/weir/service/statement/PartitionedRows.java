package io.weir.service.statement;

import io.weir.incremental.engine.DuckTypes;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Rows;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Splits a query's rows by the partitions of a table. Iceberg's own transforms work the partition out, once for each
 * distinct combination of values that is partitioned by; the engine then picks each partition's rows.
 */
final class PartitionedRows {
    private static final int MOST_PARTITIONS = 2_000;
    private static final String ROWS = "__weir_to_split";
    private static final String SCHEMA = "__weir";
    private static final String PARTS = "parts";

    private PartitionedRows() {}

    /** A query for the rows of one partition, and the partition. */
    record Part(String sql, StructLike values) {}

    static List<Part> split(EngineSession session, TableMetadata table, String sql) {
        List<Types.NestedField> sources = sources(table);
        session.execute("CREATE OR REPLACE TEMP TABLE " + ROWS + " AS " + sql);
        Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
        List<List<Object>> combinations = new ArrayList<>();
        try (Rows rows = session.query("SELECT DISTINCT " + columns(sources) + " FROM " + ROWS)) {
            while (rows.next()) {
                List<Object> combination = new ArrayList<>(rows.row());
                List<Object> partition = partition(table, sources, combination);
                combination.add(numbers.computeIfAbsent(partition, _ -> numbers.size()));
                combinations.add(combination);
            }
        }
        if (numbers.size() > MOST_PARTITIONS) {
            throw new SqlException(
                    "54000",
                    "the statement writes to " + numbers.size() + " partitions, more than " + MOST_PARTITIONS,
                    "Write it in several statements.");
        }
        expose(session, sources, combinations);
        return parts(table, sources, numbers);
    }

    private static List<Types.NestedField> sources(TableMetadata table) {
        return table.spec().fields().stream()
                .map(PartitionField::sourceId)
                .distinct()
                .map(id -> table.schema().columns().stream()
                        .filter(column -> column.fieldId() == id)
                        .findFirst()
                        .orElseThrow(() -> new SqlException(
                                "0A000",
                                "writing to a table partitioned by a nested column is not supported in SQL",
                                "Write it with an Iceberg engine.")))
                .toList();
    }

    private static String column(Types.NestedField field) {
        return "CAST(" + QualifiedName.quote(field.name()) + " AS " + DuckTypes.toDuck(field.type()) + ")";
    }

    private static String columns(List<Types.NestedField> sources) {
        return sources.stream().map(PartitionedRows::column).collect(Collectors.joining(", "));
    }

    private static List<Object> partition(
            TableMetadata table, List<Types.NestedField> sources, List<Object> combination) {
        List<Object> values = new ArrayList<>();
        for (PartitionField field : table.spec().fields()) {
            int source = IntStream.range(0, sources.size())
                    .filter(i -> sources.get(i).fieldId() == field.sourceId())
                    .findFirst()
                    .orElseThrow();
            Type type = sources.get(source).type();
            Object value = internal(type, combination.get(source));
            values.add(value == null ? null : transformed(field, type, value));
        }
        return values;
    }

    @SuppressWarnings("unchecked")
    private static Object transformed(PartitionField field, Type type, Object value) {
        var transform = (Transform<Object, Object>) field.transform();
        return transform.bind(type).apply(value);
    }

    /** The value as Iceberg holds it in memory. */
    private static Object internal(Type type, Object value) {
        return switch (value) {
            case null -> null;
            case Long number when type.typeId() == Type.TypeID.INTEGER -> number.intValue();
            case LocalDate date -> Math.toIntExact(date.toEpochDay());
            case LocalTime time -> time.toNanoOfDay() / 1_000;
            case LocalDateTime time -> micros(time.atOffset(ZoneOffset.UTC));
            case OffsetDateTime time -> micros(time);
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            case BigDecimal decimal -> decimal;
            default -> value;
        };
    }

    private static long micros(OffsetDateTime time) {
        return ChronoUnit.MICROS.between(LocalDate.EPOCH.atStartOfDay().atOffset(ZoneOffset.UTC), time);
    }

    private static void expose(
            EngineSession session, List<Types.NestedField> sources, List<List<Object>> combinations) {
        var fields = new ArrayList<Types.NestedField>();
        for (Types.NestedField source : sources) {
            fields.add(Types.NestedField.optional(fields.size() + 1, "c" + fields.size(), source.type()));
        }
        fields.add(Types.NestedField.optional(fields.size() + 1, "part", Types.IntegerType.get()));
        session.exposeValues(SCHEMA, PARTS, new Schema(fields), combinations);
    }

    private static List<Part> parts(
            TableMetadata table, List<Types.NestedField> sources, Map<List<Object>, Integer> numbers) {
        String same = IntStream.range(0, sources.size())
                .mapToObj(i -> "CAST(r." + QualifiedName.quote(sources.get(i).name()) + " AS "
                        + DuckTypes.toDuck(sources.get(i).type()) + ") IS NOT DISTINCT FROM p.c" + i)
                .collect(Collectors.joining(" AND "));
        var parts = new ArrayList<Part>();
        numbers.forEach((values, number) -> {
            var data = new PartitionData(table.spec().partitionType());
            for (int i = 0; i < values.size(); i++) {
                data.set(i, values.get(i));
            }
            parts.add(new Part(
                    "SELECT r.* FROM " + ROWS + " AS r JOIN " + SCHEMA + "." + PARTS + " AS p ON " + same
                            + " AND p.part = " + number,
                    data));
        });
        return parts;
    }
}
