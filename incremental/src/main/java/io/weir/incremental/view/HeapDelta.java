package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A change of a view whose rows are on the heap. They become a table of the engine only if somebody asks for one. */
final class HeapDelta implements Delta {
    private final Workspace workspace;
    private final List<OutputColumn> columns;
    private final List<HeapType> types;
    private final List<HeapRow> arriving = new ArrayList<>();
    private final List<HeapRow> leaving = new ArrayList<>();
    private Optional<String> table = Optional.empty();

    /** A row of the view: its columns as they are held, and its id. */
    @SuppressWarnings("ArrayRecordComponent")
    record HeapRow(Object[] values, long rowId) {}

    HeapDelta(Workspace workspace, List<OutputColumn> columns, List<HeapType> types) {
        this.workspace = workspace;
        this.columns = columns;
        this.types = types;
    }

    void arrives(Object[] values, long rowId) {
        arriving.add(new HeapRow(values, rowId));
    }

    void leaves(Object[] values, long rowId) {
        leaving.add(new HeapRow(values, rowId));
    }

    List<HeapRow> arrivingRows() {
        return arriving;
    }

    List<HeapRow> leavingRows() {
        return leaving;
    }

    List<OutputColumn> columns() {
        return columns;
    }

    List<HeapType> types() {
        return types;
    }

    @Override
    public Relation arriving() {
        return relation("arrives");
    }

    @Override
    public Optional<Relation> leaving() {
        return leaving.isEmpty() ? Optional.empty() : Optional.of(relation("NOT arrives"));
    }

    @Override
    public long rows() {
        return (long) arriving.size() + leaving.size();
    }

    private Relation relation(String side) {
        String values = Sql.join(
                columns.size(),
                ", ",
                i -> types.get(i).taken("v" + i, columns.get(i).duckType()) + " AS "
                        + Sql.name(columns.get(i).name()));
        return new Relation("SELECT " + values + ", row_id AS __row_id FROM " + table() + " WHERE " + side);
    }

    private String table() {
        if (table.isEmpty()) {
            String held = Sql.join(
                    columns.size(),
                    ", ",
                    i -> "v" + i + " " + types.get(i).held(columns.get(i).duckType()));
            List<Object[]> rows = new ArrayList<>();
            arriving.forEach(row -> rows.add(row(row, true)));
            leaving.forEach(row -> rows.add(row(row, false)));
            table = Optional.of(workspace.table(held + ", row_id BIGINT, arrives BOOLEAN", rows));
        }
        return table.get();
    }

    private static Object[] row(HeapRow row, boolean arrives) {
        int size = row.values().length;
        Object[] values = java.util.Arrays.copyOf(row.values(), size + 2);
        values[size] = row.rowId();
        values[size + 1] = arrives;
        return values;
    }
}
