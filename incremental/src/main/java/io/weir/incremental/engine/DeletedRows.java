package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.EqualityDeletes;
import io.weir.incremental.FileRows;
import io.weir.incremental.PositionDeletes;
import io.weir.incremental.SqlState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * The anti-joins that take deleted rows away from a read of several files, called {@code d}, which has
 * {@code file_index} and {@code file_row_number}. Each delete counts for the files it is attached to and no others.
 */
final class DeletedRows {
    private final Schema schema;
    private final SafePaths paths;
    private final SessionTables tables;

    DeletedRows(Schema schema, SafePaths paths, SessionTables tables) {
        this.schema = schema;
        this.paths = paths;
        this.tables = tables;
    }

    /** Columns that equality deletes compare and the table's schema no longer has. */
    List<Types.NestedField> columnsBesides(List<FileRows> files) {
        Map<Integer, Types.NestedField> besides = new LinkedHashMap<>();
        for (FileRows file : files) {
            for (EqualityDeletes deletes : file.equalityDeletes()) {
                for (int id : deletes.fieldIds()) {
                    if (!isColumn(schema, id)) {
                        besides.putIfAbsent(id, column(deletes, id));
                    }
                }
            }
        }
        return List.copyOf(besides.values());
    }

    private static boolean isColumn(Schema schema, int id) {
        return schema.columns().stream().anyMatch(column -> column.fieldId() == id);
    }

    private static Types.NestedField column(EqualityDeletes deletes, int id) {
        if (!isColumn(deletes.schema(), id)) {
            throw new EngineException(
                    SqlState.FEATURE_NOT_SUPPORTED,
                    "the equality deletes in " + deletes.local().getFileName() + " compare field " + id
                            + ", which is not a top-level column",
                    "delete by top-level columns, or rewrite the table's files");
        }
        return Types.NestedField.optional(id, "f" + id, deletes.schema().findType(id));
    }

    String antiJoins(List<FileRows> files) {
        StringBuilder joins = new StringBuilder();
        List<String> positions = new ArrayList<>();
        known(files, positions);
        inFiles(files, positions);
        if (!positions.isEmpty()) {
            joins.append(" ANTI JOIN (")
                    .append(String.join(" UNION ALL ", positions))
                    .append(") AS p ON d.file_index = p.f AND d.file_row_number = p.pos");
        }
        equality(files, joins);
        return joins.toString();
    }

    private void known(List<FileRows> files, List<String> selects) {
        List<long[]> pairs = new ArrayList<>();
        for (int index = 0; index < files.size(); index++) {
            for (PositionDeletes deletes : files.get(index).positionDeletes()) {
                if (deletes instanceof PositionDeletes.Positions positions) {
                    for (long position : positions.sorted()) {
                        pairs.add(new long[] {index, position});
                    }
                }
            }
        }
        if (!pairs.isEmpty()) {
            selects.add("SELECT a AS f, b AS pos FROM " + tables.pairs(pairs));
        }
    }

    private void inFiles(List<FileRows> files, List<String> selects) {
        Map<Path, Integer> deleteFiles = new LinkedHashMap<>();
        List<String> attached = new ArrayList<>();
        for (int index = 0; index < files.size(); index++) {
            for (PositionDeletes deletes : files.get(index).positionDeletes()) {
                if (deletes instanceof PositionDeletes.InFile file) {
                    int number = numberOf(deleteFiles, file.local());
                    attached.add("(" + number + "," + index + ","
                            + Quoting.text(files.get(index).location()) + ")");
                }
            }
        }
        if (deleteFiles.isEmpty()) {
            return;
        }
        Types.NestedField path = MetadataColumns.DELETE_FILE_PATH;
        Types.NestedField position = MetadataColumns.DELETE_FILE_POS;
        String mapping = RowScan.mapping(path, "VARCHAR") + "," + RowScan.mapping(position, "BIGINT");
        selects.add("SELECT m.f, r." + RowScan.internal(position.fieldId()) + " AS pos FROM (SELECT *, "
                + "CAST(file_index AS BIGINT) AS n FROM " + RowScan.read(paths, deleteFiles.keySet(), mapping)
                + ") AS r JOIN (VALUES " + String.join(",", attached) + ") AS m(n, f, path) ON r.n = m.n AND r."
                + RowScan.internal(path.fieldId()) + " = m.path");
    }

    private static int numberOf(Map<Path, Integer> files, Path file) {
        int next = files.size();
        Integer number = files.putIfAbsent(file, next);
        return number == null ? next : number;
    }

    private void equality(List<FileRows> files, StringBuilder joins) {
        Map<Set<Integer>, List<EqualityDeletes>> byFields = new LinkedHashMap<>();
        Map<Path, List<Integer>> hits = new HashMap<>();
        for (int index = 0; index < files.size(); index++) {
            for (EqualityDeletes deletes : files.get(index).equalityDeletes()) {
                List<Integer> hit = hits.computeIfAbsent(deletes.local(), first -> {
                    byFields.computeIfAbsent(new LinkedHashSet<>(deletes.fieldIds()), none -> new ArrayList<>())
                            .add(deletes);
                    return new ArrayList<>();
                });
                hit.add(index);
            }
        }
        int join = 0;
        for (Map.Entry<Set<Integer>, List<EqualityDeletes>> group : byFields.entrySet()) {
            joins.append(equality(group.getKey(), group.getValue(), hits, "e" + join++));
        }
    }

    private String equality(
            Set<Integer> ids, List<EqualityDeletes> deletes, Map<Path, List<Integer>> hits, String alias) {
        List<long[]> attached = new ArrayList<>();
        for (int number = 0; number < deletes.size(); number++) {
            for (int index : hits.get(deletes.get(number).local())) {
                attached.add(new long[] {number, index});
            }
        }
        String mapping = ids.stream()
                .map(id -> RowScan.mapping(
                        column(deletes.getFirst(), id),
                        DuckTypes.toDuck(
                                isColumn(schema, id)
                                        ? schema.findType(id)
                                        : deletes.getFirst().schema().findType(id))))
                .collect(Collectors.joining(","));
        String equal = ids.stream()
                .map(RowScan::internal)
                .map(name -> " AND d." + name + " IS NOT DISTINCT FROM " + alias + "." + name)
                .collect(Collectors.joining());
        return " ANTI JOIN (SELECT m.b AS f, r.* FROM (SELECT *, CAST(file_index AS BIGINT) AS n FROM "
                + RowScan.read(
                        paths, deletes.stream().map(EqualityDeletes::local).toList(), mapping)
                + ") AS r JOIN " + tables.pairs(attached) + " AS m ON r.n = m.a) AS " + alias
                + " ON d.file_index = " + alias + ".f" + equal;
    }
}
