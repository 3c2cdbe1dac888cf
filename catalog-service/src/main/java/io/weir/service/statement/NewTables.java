package io.weir.service.statement;

import io.weir.coordinator.Lake;
import io.weir.incremental.engine.Column;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.SystemColumn;
import io.weir.service.config.Units;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement.ColumnDefinition;
import io.weir.service.sql.Statement.PartitionTransform;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Types;

/** From the columns, key, partitioning and properties of a statement to the metadata of a new Iceberg table. */
final class NewTables {
    private static final Set<String> SHORT_PROPERTIES = Set.of("retention");

    /** Tells the coordinator that the identifier fields are a key: one row each, whoever appends. */
    static final String KEYED = "weir.keyed";

    private final Lake lake;
    private final Engine engine;
    private final LakeReader reader;
    private final int formatVersion;

    NewTables(Lake lake, Engine engine, LakeReader reader, int formatVersion) {
        this.lake = lake;
        this.engine = engine;
        this.reader = reader;
        this.formatVersion = formatVersion;
    }

    TableMetadata metadata(
            TableIdentifier name, Schema schema, List<PartitionTransform> partitioning, Map<String, String> given) {
        Map<String, String> properties = properties(given);
        if (!schema.identifierFieldIds().isEmpty()) {
            properties.put(KEYED, "true");
        }
        return TableMetadata.newTableMetadata(
                schema, spec(schema, partitioning), SortOrder.unsorted(), lake.newLocation(name), properties);
    }

    Map<String, String> properties(Map<String, String> given) {
        Map<String, String> properties = new HashMap<>();
        given.forEach((key, value) -> properties.put(propertyName(key), value));
        properties.putIfAbsent(TableProperties.FORMAT_VERSION, Integer.toString(formatVersion));
        if (!Set.of("1", "2", "3").contains(properties.get(TableProperties.FORMAT_VERSION))) {
            throw new SqlException(
                    "22023",
                    "format version " + properties.get(TableProperties.FORMAT_VERSION) + " is not one of 1, 2 and 3",
                    "Write WITH (format_version = 3).");
        }
        String retention = properties.get("weir.retention");
        if (retention != null && Units.duration(retention).isEmpty()) {
            throw new SqlException(
                    "22023", "retention \"" + retention + "\" is not a time", "Write for instance '2 hours'.");
        }
        return properties;
    }

    /** {@code retention} is short for {@code weir.retention}, {@code format_version} for {@code format-version}. */
    static String propertyName(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        if (SHORT_PROPERTIES.contains(lower)) {
            return "weir." + lower;
        }
        return lower.equals("format_version") ? TableProperties.FORMAT_VERSION : key;
    }

    /** The types are read by DuckDB, so that its names and synonyms all work. */
    Schema schema(List<ColumnDefinition> columns, List<String> key, ReadPoint point) {
        for (ColumnDefinition column : columns) {
            if (column.defaultValue().isPresent()) {
                throw new SqlException(
                        "0A000",
                        "DEFAULT on column " + column.name() + " is not supported",
                        "Leave it out and give the value in the INSERT.");
            }
        }
        String nulls = columns.stream()
                .map(column -> "CAST(NULL AS " + column.type().text() + ")")
                .collect(Collectors.joining(", ", "SELECT ", ""));
        List<Column> typed;
        try (EngineSession session = engine.session()) {
            typed = session.describe(reader.check(session, nulls, point).sql());
        }
        if (typed.size() != columns.size()) {
            throw new SqlException("42601", "a column's type is not one type", "Check the parentheses.");
        }
        Set<String> keyNames = key.stream().map(k -> k.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        var named = new ArrayList<Column>();
        var required = new HashSet<String>();
        for (int i = 0; i < columns.size(); i++) {
            String name = columns.get(i).name();
            named.add(new Column(name, typed.get(i).type()));
            if (columns.get(i).notNull() || keyNames.contains(name.toLowerCase(Locale.ROOT))) {
                required.add(name);
            }
        }
        return schema(named, required, key);
    }

    static Schema schema(List<Column> columns, Set<String> required, List<String> key) {
        AtomicInteger ids = new AtomicInteger(columns.size());
        var fields = new ArrayList<Types.NestedField>();
        var names = new HashSet<String>();
        for (Column column : columns) {
            if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
                throw new SqlException(
                        "42701", "column " + column.name() + " is there twice", "Give each column its own name.");
            }
            if (SystemColumn.named(column.name()).isPresent()) {
                throw new SqlException(
                        "42939", column.name() + " is a system column of every table", "Name the column differently.");
            }
            int id = fields.size() + 1;
            fields.add(
                    required.contains(column.name())
                            ? Types.NestedField.required(id, column.name(), column.icebergType(ids::incrementAndGet))
                            : Types.NestedField.optional(id, column.name(), column.icebergType(ids::incrementAndGet)));
        }
        Set<Integer> keyIds = new HashSet<>();
        for (String name : key) {
            keyIds.add(fields.stream()
                    .filter(field -> field.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new SqlException(
                            "42703",
                            "column " + name + " of the primary key does not exist",
                            "Name a column of the table."))
                    .fieldId());
        }
        try {
            return new Schema(fields, keyIds);
        } catch (IllegalArgumentException e) {
            throw new SqlException("42830", "this cannot be a primary key: " + e.getMessage(), "", e);
        }
    }

    private static PartitionSpec spec(Schema schema, List<PartitionTransform> transforms) {
        PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
        for (PartitionTransform transform : transforms) {
            String column = schema.columns().stream()
                    .map(Types.NestedField::name)
                    .filter(transform.column()::equalsIgnoreCase)
                    .findFirst()
                    .orElseThrow(() -> new SqlException(
                            "42703",
                            "column " + transform.column() + " to partition by does not exist",
                            "Name a column of the table."));
            try {
                add(spec, transform, column);
            } catch (IllegalArgumentException | ValidationException e) {
                throw new SqlException("42P17", "the table cannot be partitioned so: " + e.getMessage(), "", e);
            }
        }
        return spec.build();
    }

    private static void add(PartitionSpec.Builder spec, PartitionTransform transform, String column) {
        switch (transform.transform()) {
            case "identity" -> spec.identity(column);
            case "year", "years" -> spec.year(column);
            case "month", "months" -> spec.month(column);
            case "day", "days", "date" -> spec.day(column);
            case "hour", "hours" -> spec.hour(column);
            case "bucket" -> spec.bucket(column, width(transform));
            case "truncate" -> spec.truncate(column, width(transform));
            default ->
                throw new SqlException(
                        "42601",
                        "there is no partition transform " + QualifiedName.quote(transform.transform()),
                        "There are year, month, day, hour, bucket(n, column), truncate(n, column), and a bare column.");
        }
    }

    private static int width(PartitionTransform transform) {
        return transform
                .width()
                .orElseThrow(() -> new SqlException(
                        "42601",
                        transform.transform() + " needs a width",
                        "Write " + transform.transform() + "(16, " + transform.column() + ")."));
    }
}
