package io.weir.service.statement;

import io.weir.coordinator.Action;
import io.weir.coordinator.Lake;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.engine.CheckedSql;
import io.weir.incremental.engine.Column;
import io.weir.incremental.engine.DuckTypes;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Rows;
import io.weir.service.rows.CapturedCommit;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.TableReader;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.Span;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement.Assignment;
import io.weir.service.sql.Statement.Delete;
import io.weir.service.sql.Statement.Insert;
import io.weir.service.sql.Statement.Update;
import io.weir.service.sql.ValuesList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/**
 * INSERT, UPDATE and DELETE: the engine works out the rows and writes them to files; what is committed is what any
 * client would send, an append or a row delta. A new version of a row carries its {@code _row_id} in the file. Keyed
 * tables' older rows are the coordinator's care.
 */
final class RowStatements {
    private static final String FOUND = "__weir_found";

    private final Lake lake;
    private final Engine engine;
    private final LakeReader reader;
    private final TableReader tables;
    private final DataFileWriter writer;

    RowStatements(Lake lake, Engine engine, LakeReader reader, TableReader tables, DataFileWriter writer) {
        this.lake = lake;
        this.engine = engine;
        this.reader = reader;
        this.tables = tables;
        this.writer = writer;
    }

    Change insert(Insert insert, ReadPoint point) {
        TableEntry table = writable(insert.table(), point);
        TableMetadata metadata = point.metadata(table);
        List<Types.NestedField> targets = targets(metadata.schema(), insert.columns(), insert.table());
        try (EngineSession session = engine.session()) {
            CheckedSql checked = reader.open(session, typed(insert.query(), targets), point);
            String sql = matched(session, checked.sql(), targets, metadata.schema());
            return append(table.name(), metadata, writer.write(session, metadata, sql, metadata.schema()));
        }
    }

    /** An append of {@code files}; the coordinator puts it on top of whatever was committed in between. */
    Change append(TableIdentifier table, TableMetadata metadata, List<DataFile> files) {
        if (files.isEmpty()) {
            return Change.nothing();
        }
        var commit = new CapturedCommit(metadata, lake.io());
        AppendFiles append = commit.table().newFastAppend();
        files.forEach(append::appendFile);
        append.commit();
        return new Change(
                List.of(new Action.UpdateTable(table, commit.requirements(), commit.updates())),
                files.stream().mapToLong(DataFile::recordCount).sum(),
                files.stream().map(DataFile::location).toList());
    }

    private static List<Types.NestedField> targets(Schema schema, List<String> names, QualifiedName table) {
        if (names.isEmpty()) {
            return schema.columns();
        }
        var targets = new ArrayList<Types.NestedField>();
        var seen = new HashSet<Integer>();
        for (String name : names) {
            Types.NestedField field = column(schema, name, table);
            if (!seen.add(field.fieldId())) {
                throw new SqlException("42701", "column " + name + " is named twice", "Name each column once.");
            }
            targets.add(field);
        }
        return targets;
    }

    private static Types.NestedField column(Schema schema, String name, QualifiedName table) {
        Types.NestedField field = schema.findField(name);
        if (field == null || schema.columns().stream().noneMatch(c -> c.fieldId() == field.fieldId())) {
            return schema.columns().stream()
                    .filter(c -> c.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new SqlException(
                            "42703",
                            "column " + name + " of table " + table + " does not exist",
                            "It has: "
                                    + schema.columns().stream()
                                            .map(Types.NestedField::name)
                                            .collect(Collectors.joining(", "))));
        }
        return field;
    }

    /** Each value of a VALUES gets its column's type by itself. */
    private static String typed(Span query, List<Types.NestedField> targets) {
        return ValuesList.of(query)
                .map(rows ->
                        rows.stream().map(row -> typed(row, targets)).collect(Collectors.joining(", ", "VALUES ", "")))
                .orElse(query.text());
    }

    private static String typed(List<String> row, List<Types.NestedField> targets) {
        if (row.size() != targets.size()) {
            throw wrongCount(row.size(), targets.size());
        }
        var values = new ArrayList<String>();
        for (int i = 0; i < row.size(); i++) {
            String value = row.get(i).equalsIgnoreCase("DEFAULT") ? "NULL" : row.get(i);
            values.add(
                    "CAST(" + value + " AS " + DuckTypes.toDuck(targets.get(i).type()) + ")");
        }
        return "(" + String.join(", ", values) + ")";
    }

    private static SqlException wrongCount(int values, int columns) {
        return new SqlException(
                "42601",
                "INSERT gives " + values + " values for " + columns + " columns",
                "Name the columns: INSERT INTO t (a, b) ...");
    }

    /** The query's columns, by position, under the names of the target columns; the others are NULL. */
    private static String matched(EngineSession session, String sql, List<Types.NestedField> targets, Schema schema) {
        List<Column> given = session.describe(sql);
        if (given.size() != targets.size()) {
            throw wrongCount(given.size(), targets.size());
        }
        var names = new ArrayList<String>();
        for (int i = 0; i < targets.size(); i++) {
            names.add("c" + i);
        }
        String columns = schema.columns().stream()
                .map(field -> {
                    int i = targets.indexOf(field);
                    return (i < 0 ? "NULL" : "q.c" + i) + " AS " + QualifiedName.quote(field.name());
                })
                .collect(Collectors.joining(", "));
        return "SELECT " + columns + " FROM (" + sql + ") AS q(" + String.join(", ", names) + ")";
    }

    Change update(Update update, ReadPoint point) {
        TableEntry table = writable(update.table(), point);
        TableMetadata metadata = point.metadata(table);
        Map<Integer, Span> values = new HashMap<>();
        for (Assignment assignment : update.assignments()) {
            Types.NestedField field = column(metadata.schema(), assignment.column(), update.table());
            if (values.put(field.fieldId(), assignment.value()) != null) {
                throw new SqlException("42701", "column " + field.name() + " is set twice", "Set each column once.");
            }
        }
        String alias = QualifiedName.quote(update.alias().orElse(update.table().name()));
        String columns = metadata.schema().columns().stream()
                .map(field -> {
                    String name = QualifiedName.quote(field.name());
                    Span value = values.get(field.fieldId());
                    return (value == null ? alias + "." + name : "(" + value.text() + ")") + " AS " + name;
                })
                .collect(Collectors.joining(", "));
        String sql = found(table, alias, ", " + columns, update.from(), update.where());
        try (EngineSession session = engine.session()) {
            Map<String, long[]> positions = find(session, sql, point, table);
            if (positions.isEmpty()) {
                return Change.nothing();
            }
            boolean newKeys = metadata.schema().identifierFieldIds().stream().anyMatch(values::containsKey);
            if (newKeys && KeyCheck.isKeyed(metadata)) {
                KeyCheck.check(session, metadata, tables.rows(table, metadata), FOUND);
            }
            var fields = new ArrayList<>(metadata.schema().columns());
            fields.add(RowIdentity.ROW_ID_FIELD);
            List<DataFile> added = writer.write(
                    session,
                    metadata,
                    "SELECT *, __id AS " + RowIdentity.ROW_ID_FIELD.name() + " FROM " + FOUND,
                    new Schema(fields));
            return delta(table, metadata, positions, added);
        }
    }

    Change delete(Delete delete, ReadPoint point) {
        TableEntry table = writable(delete.table(), point);
        TableMetadata metadata = point.metadata(table);
        String alias = QualifiedName.quote(delete.alias().orElse(delete.table().name()));
        String sql = found(table, alias, "", delete.using(), delete.where());
        try (EngineSession session = engine.session()) {
            Map<String, long[]> positions = find(session, sql, point, table);
            return positions.isEmpty() ? Change.nothing() : delta(table, metadata, positions, List.of());
        }
    }

    private static String found(
            TableEntry table, String alias, String columns, Optional<Span> others, Optional<Span> where) {
        String name = QualifiedName.quote(Names.schema(table.name().namespace())) + "."
                + QualifiedName.quote(table.name().name());
        return "SELECT " + alias + ".__file AS __in, " + alias + ".__pos AS __at, " + alias + ".__row_id AS __id"
                + columns + " FROM " + name + " AS " + alias
                + others.map(from -> ", " + from.text()).orElse("")
                + where.map(condition -> " WHERE (" + condition.text() + ")").orElse("");
    }

    /** Keeps the rows the query finds, each once, in a temporary table; answers where they stand, by file. */
    private Map<String, long[]> find(EngineSession session, String sql, ReadPoint point, TableEntry table) {
        CheckedSql checked = reader.openForChange(session, sql, point, table);
        session.execute("CREATE TEMP TABLE " + FOUND + " AS SELECT DISTINCT ON (__in, __at) * FROM (" + checked.sql()
                + ") AS f");
        Map<String, long[]> positions = new LinkedHashMap<>();
        try (Rows rows =
                session.query("SELECT __in, list(__at ORDER BY __at) FROM " + FOUND + " GROUP BY __in ORDER BY __in")) {
            while (rows.next()) {
                List<?> found = (List<?>) rows.value(1);
                positions.put(
                        (String) rows.value(0),
                        found.stream().mapToLong(at -> (Long) at).toArray());
            }
        }
        return positions;
    }

    private Change delta(
            TableEntry table, TableMetadata metadata, Map<String, long[]> positions, List<DataFile> added) {
        List<FileScanTask> tasks = tables.tasks(metadata, metadata.currentSnapshot());
        DeleteWriter.Written deletes = new DeleteWriter(lake.io()).write(metadata, tasks, positions);
        var commit = new CapturedCommit(metadata, lake.io());
        RowDelta delta = commit.table()
                .newRowDelta()
                .validateFromSnapshot(metadata.currentSnapshot().snapshotId());
        added.forEach(delta::addRows);
        deletes.added().forEach(delta::addDeletes);
        deletes.replaced().forEach(delta::removeDeletes);
        delta.commit();
        var files = new ArrayList<String>();
        added.forEach(file -> files.add(file.location()));
        deletes.added().stream().map(file -> file.location()).distinct().forEach(files::add);
        return new Change(
                List.of(new Action.UpdateTable(table.name(), commit.requirements(), commit.updates())),
                positions.values().stream().mapToLong(p -> p.length).sum(),
                files);
    }

    private static TableEntry writable(QualifiedName name, ReadPoint point) {
        Names.refuseSystem(name.schema());
        TableEntry table = point.names().existingTable(name);
        if (table.isView()) {
            throw new SqlException(
                    "42809",
                    table.name() + " is a materialized view: only its flow writes it",
                    "Write to what it follows, or ALTER MATERIALIZED VIEW " + name + " DETACH to make it a table.");
        }
        return table;
    }
}
