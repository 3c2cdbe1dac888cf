package io.weir.service.flow;

import io.weir.coordinator.CommitOutcome.Rejected;
import io.weir.coordinator.Derivation.Superseded;
import io.weir.coordinator.ErrorCode;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.FileRows;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Quoting;
import io.weir.incremental.engine.Rows;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.TableReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.TableMetadata;

/**
 * Keyed tables: the rows that an append replaces. Of several rows of one key in the append the last, in the order of its
 * files and of the rows in them, stays.
 */
final class KeyedRows {
    private final Engine engine;
    private final TableReader reader;
    private final DeleteWriter deletes;

    KeyedRows(Engine engine, TableReader reader, DeleteWriter deletes) {
        this.engine = engine;
        this.reader = reader;
        this.deletes = deletes;
    }

    Superseded supersede(TableEntry table, TableMetadata current, List<DataFile> added) {
        List<FileScanTask> tasks = reader.tasks(current, current.currentSnapshot());
        Map<String, DeleteWriter.Target> targets = new HashMap<>();
        List<FileRows> before = new ArrayList<>();
        for (FileScanTask task : tasks) {
            targets.put(task.file().location(), DeleteWriter.Target.of(task));
            before.add(reader.fileRows(table.lineage(), current.schema(), task));
        }
        List<FileRows> arriving = new ArrayList<>();
        for (DataFile file : added) {
            targets.put(
                    file.location(),
                    new DeleteWriter.Target(current.specsById().get(file.specId()), file.partition(), List.of()));
            arriving.add(reader.fileRows(file));
        }
        Map<String, long[]> replaced = find(table, current, before, arriving);
        if (replaced.isEmpty()) {
            return Superseded.NOTHING;
        }
        DeleteWriter.Written written = deletes.write(current, targets, replaced);
        return new Superseded(written.added(), written.replaced(), Set.of());
    }

    private Map<String, long[]> find(
            TableEntry table, TableMetadata current, List<FileRows> before, List<FileRows> arriving) {
        List<String> keys = current.schema().identifierFieldNames().stream()
                .sorted()
                .map(Quoting::name)
                .toList();
        String key = String.join(", ", keys);
        try (EngineSession session = engine.session()) {
            session.execute("CREATE TEMP TABLE file_order AS SELECT * FROM (VALUES " + ordered(arriving)
                    + ") AS f(__file, __order)");
            session.execute("CREATE TEMP TABLE arriving AS SELECT " + key + ", a.__file, a.__pos, f.__order FROM "
                    + session.rows(new TableRows(current.schema(), arriving), true)
                            .as("a")
                    + " JOIN file_order f USING (__file)");
            refuseNullKeys(session, table, keys);
            StringBuilder sql = new StringBuilder(
                            "SELECT __file, list(__pos ORDER BY __pos) FROM (SELECT __file, __pos")
                    .append(" FROM arriving QUALIFY row_number() OVER (PARTITION BY ")
                    .append(key)
                    .append(" ORDER BY __order DESC, __pos DESC) > 1");
            if (!before.isEmpty()) {
                sql.append(" UNION ALL SELECT b.__file, b.__pos FROM ")
                        .append(session.rows(new TableRows(current.schema(), before), true)
                                .as("b"))
                        .append(" SEMI JOIN arriving USING (")
                        .append(key)
                        .append(")");
            }
            Map<String, long[]> positions = new HashMap<>();
            try (Rows rows = session.query(sql.append(") GROUP BY __file").toString())) {
                while (rows.next()) {
                    positions.put(
                            (String) rows.value(0),
                            ((List<?>) rows.value(1))
                                    .stream()
                                            .mapToLong(position -> ((Number) position).longValue())
                                            .toArray());
                }
            }
            return positions;
        }
    }

    private static String ordered(List<FileRows> files) {
        Set<String> rows = new HashSet<>();
        for (int i = 0; i < files.size(); i++) {
            rows.add("(" + Quoting.text(files.get(i).location()) + ", " + i + ")");
        }
        return String.join(", ", rows);
    }

    private static void refuseNullKeys(EngineSession session, TableEntry table, List<String> keys) {
        String anyNull = keys.stream().map(key -> key + " IS NULL").collect(Collectors.joining(" OR "));
        try (Rows rows = session.query("SELECT count(*) FROM arriving WHERE " + anyNull)) {
            rows.next();
            if (rows.number(0) > 0) {
                throw new RequestRejectedException(Rejected.of(
                        ErrorCode.NOT_NULL_VIOLATION,
                        rows.number(0) + " rows for table " + table.name() + " have NULL in its key ("
                                + String.join(", ", keys) + ")",
                        "give every row its whole key"));
            }
        }
    }
}
