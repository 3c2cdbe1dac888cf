package io.weir.service.statement;

import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitRecord;
import io.weir.coordinator.DroppedTable;
import io.weir.coordinator.Expectation;
import io.weir.coordinator.FlowEntry;
import io.weir.coordinator.Lineage;
import io.weir.coordinator.TableEntry;
import io.weir.rest.MetricsReports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The tables of the {@code weir} namespace, computed from a state of the lake. Columns are added at the end, never
 * renamed.
 */
final class SystemTables {
    private static final List<SystemTable> ALL = List.of(
            table(
                    "tables",
                    "lake schema name kind format_version:int rows_in_files:long bytes_in_files:long files:long key definition"
                            + " location created_at:time updated_at:time",
                    SystemTables::tables),
            table(
                    "flows",
                    "schema name follows kind refresh reason reads expectations:long late_rows:long state version:long error"
                            + " definition last_duration_ms:long last_rows_in:long last_rows_out:long",
                    SystemTables::flows),
            table(
                    "expectations",
                    "schema view expectation condition on_violation failed_rows:long",
                    SystemTables::expectations),
            table(
                    "commits",
                    "version:long committed_at:time schema table_name operation snapshot_id:long sequence_number:long"
                            + " first_row_id:long added_rows:long deleted_rows:long author engine rebased:boolean"
                            + " duration_ms:long",
                    SystemTables::commits),
            table(
                    "lineage",
                    "schema table_name first_row_id:long rows:long version:long created_at:time sequence_number:long file_path",
                    SystemTables::lineage),
            table(
                    "dropped",
                    "id schema name dropped_at:time dropped_by kept_until:time rows_in_files:long bytes_in_files:long",
                    SystemTables::dropped),
            new SystemTable(
                    "scan_metrics",
                    schema("reported_at:time schema table_name report snapshot_id:long operation filter projected"
                            + " planning_ms:long data_files:long delete_files:long bytes:long skipped_data_files:long"
                            + " author engine"),
                    (lake, point, reports) -> ScanMetrics.rows(reports.of(lake))));

    private SystemTables() {}

    @FunctionalInterface
    interface Content {
        List<List<Object>> rows(String lake, ReadPoint point, MetricsReports reports);
    }

    /** One of them: its columns, and its rows for a lake's name and state. */
    record SystemTable(String name, Schema schema, Content content) {
        List<List<Object>> rows(String lake, ReadPoint point, MetricsReports reports) {
            return content.rows(lake, point, reports);
        }
    }

    static Optional<SystemTable> named(String name) {
        return ALL.stream().filter(table -> table.name().equalsIgnoreCase(name)).findFirst();
    }

    private static SystemTable table(
            String name, String columns, BiFunction<String, ReadPoint, List<List<Object>>> content) {
        return new SystemTable(name, schema(columns), (lake, point, reports) -> content.apply(lake, point));
    }

    /** {@code name:type} separated by blanks; text where no type is given. */
    private static Schema schema(String columns) {
        var fields = new ArrayList<Types.NestedField>();
        for (String column : columns.split(" ", -1)) {
            int colon = column.indexOf(':');
            Type type = switch (colon < 0 ? "text" : column.substring(colon + 1)) {
                case "int" -> Types.IntegerType.get();
                case "long" -> Types.LongType.get();
                case "boolean" -> Types.BooleanType.get();
                case "time" -> Types.TimestampType.withZone();
                default -> Types.StringType.get();
            };
            fields.add(Types.NestedField.optional(
                    fields.size() + 1, colon < 0 ? column : column.substring(0, colon), type));
        }
        return new Schema(fields);
    }

    private static Stream<TableEntry> sorted(CatalogState state) {
        return state.tablesById().values().stream()
                .sorted(Comparator.comparing(table -> table.name().toString()));
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    private static List<List<Object>> tables(String lake, ReadPoint point) {
        Stream<List<Object>> views = point.state().logicalViews().values().stream()
                .map(view -> row(
                        lake,
                        Names.schema(view.name().namespace()),
                        view.name().name(),
                        "view",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        view.location(),
                        view.createdAt(),
                        view.updatedAt()));
        return Stream.concat(withRows(lake, point), views)
                .sorted(Comparator.comparing(row -> row.get(1) + "\u0000" + row.get(2)))
                .toList();
    }

    private static Stream<List<Object>> withRows(String lake, ReadPoint point) {
        return sorted(point.state()).map(table -> {
            TableMetadata metadata = point.metadata(table);
            Snapshots size = Snapshots.of(metadata);
            String key = metadata.propertyAsBoolean("weir.keyed", false)
                    ? String.join(", ", metadata.schema().identifierFieldNames())
                    : "";
            return row(
                    lake,
                    Names.schema(table.name().namespace()),
                    table.name().name(),
                    table.kind(),
                    metadata.formatVersion(),
                    size.rows(),
                    size.bytes(),
                    size.files(),
                    key.isEmpty() ? null : key,
                    table.flow().map(FlowEntry::definition).orElse(null),
                    table.location(),
                    table.createdAt(),
                    table.updatedAt());
        });
    }

    private static List<List<Object>> flows(String lake, ReadPoint point) {
        CatalogState state = point.state();
        var rows = new ArrayList<List<Object>>();
        sorted(state).filter(TableEntry::isView).forEach(table -> {
            FlowEntry flow = table.flow().orElseThrow();
            String sources = flow.sources().values().stream()
                    .map(id -> state.tableById(id)
                            .map(source -> Names.tableName(source.name()).toString())
                            .orElse(id))
                    .sorted()
                    .collect(Collectors.joining(", "));
            boolean current = flow.status() == FlowEntry.Status.CURRENT;
            rows.add(row(
                    Names.schema(table.name().namespace()),
                    table.name().name(),
                    sources,
                    flow.kind(),
                    flow.refresh(),
                    flow.reason().orElse(null),
                    sources,
                    (long) flow.expectations().size(),
                    0L,
                    flow.status().name().toLowerCase(Locale.ROOT),
                    current ? state.version().number() : flow.version(),
                    flow.error().orElse(null),
                    flow.definition(),
                    flow.lastMove().durationMillis(),
                    flow.lastMove().rowsIn(),
                    flow.lastMove().rowsOut()));
        });
        return rows;
    }

    private static List<List<Object>> expectations(String lake, ReadPoint point) {
        var rows = new ArrayList<List<Object>>();
        sorted(point.state()).filter(TableEntry::isView).forEach(view -> {
            for (Expectation expectation : view.flow().orElseThrow().expectations()) {
                rows.add(row(
                        Names.schema(view.name().namespace()),
                        view.name().name(),
                        expectation.name(),
                        expectation.condition(),
                        expectation.onViolation().name().toLowerCase(Locale.ROOT),
                        expectation.failedRows()));
            }
        });
        return rows;
    }

    private static List<List<Object>> commits(String lake, ReadPoint point) {
        var rows = new ArrayList<List<Object>>();
        for (CommitRecord commit : point.state().commits()) {
            rows.add(row(
                    commit.version(),
                    commit.committedAt(),
                    Names.schema(commit.table().namespace()),
                    commit.table().name(),
                    commit.operation(),
                    commit.snapshotId().orElse(null),
                    commit.sequenceNumber().orElse(null),
                    commit.firstRowId().orElse(null),
                    commit.addedRows(),
                    commit.deletedRows(),
                    commit.author(),
                    commit.engine(),
                    commit.rebased(),
                    commit.durationMillis()));
        }
        return rows;
    }

    private static List<List<Object>> lineage(String lake, ReadPoint point) {
        var rows = new ArrayList<List<Object>>();
        sorted(point.state()).forEach(table -> {
            for (Lineage.Range range : table.lineage().ranges().values()) {
                String path = table.lineage().firstRowIds().entrySet().stream()
                        .filter(file -> file.getValue() == range.firstRowId())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(null);
                Long sequence = table.lineage().sequences().entrySet().stream()
                        .filter(s -> s.getValue().version() == range.stamp().version())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(null);
                rows.add(row(
                        Names.schema(table.name().namespace()),
                        table.name().name(),
                        range.firstRowId(),
                        range.rows(),
                        range.stamp().version(),
                        range.stamp().at(),
                        sequence,
                        path));
            }
        });
        return rows;
    }

    private static List<List<Object>> dropped(String lake, ReadPoint point) {
        var rows = new ArrayList<List<Object>>();
        for (DroppedTable dropped : point.state().dropped()) {
            rows.add(row(
                    dropped.table().id(),
                    Names.schema(dropped.table().name().namespace()),
                    dropped.table().name().name(),
                    dropped.droppedAt(),
                    dropped.droppedBy(),
                    dropped.keptUntil(),
                    dropped.liveRows(),
                    dropped.bytes()));
        }
        return rows;
    }
}
