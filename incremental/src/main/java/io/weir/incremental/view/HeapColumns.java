package io.weir.incremental.view;

import io.weir.incremental.RowIdentity;
import java.util.List;
import java.util.function.Function;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/** Where the values of a view's file are found in rows on the heap. */
final class HeapColumns {
    private HeapColumns() {}

    /** Of a grouped view: its columns, its hidden state {@code _weir_n, _weir_k0, _weir_m0, …}, and who a row is. */
    static HeapFile<HeapGroup> ofGroups(ViewPlan plan, Schema file) {
        List<Function<HeapGroup, Object>> columns = file.columns().stream()
                .<Function<HeapGroup, Object>>map(field -> switch (field.fieldId()) {
                    case RowIdentity.ROW_ID -> HeapGroup::rowId;
                    case RowIdentity.LAST_UPDATED_SEQUENCE -> HeapGroup::sequence;
                    default -> RowIdentity.isHidden(field.fieldId()) ? state(field) : shown(plan, field);
                })
                .toList();
        return new HeapFile<>(file, columns);
    }

    private static Function<HeapGroup, Object> state(NestedField field) {
        String what = field.name().substring(StateLayout.PREFIX.length());
        if (what.equals("n")) {
            return HeapGroup::rows;
        }
        int index = Integer.parseInt(what.substring(1));
        return what.startsWith("k") ? group -> group.key().get(index) : group -> group.measures()[index];
    }

    private static Function<HeapGroup, Object> shown(ViewPlan plan, NestedField field) {
        int column = column(plan, field.name());
        return group -> group.shown()[column];
    }

    /** Of a view of rows, all of which come with this commit. */
    static HeapFile<HeapDelta.HeapRow> ofRows(ViewPlan plan, Schema file, long sequenceNumber) {
        List<Function<HeapDelta.HeapRow, Object>> columns = file.columns().stream()
                .<Function<HeapDelta.HeapRow, Object>>map(field -> switch (field.fieldId()) {
                    case RowIdentity.ROW_ID -> HeapDelta.HeapRow::rowId;
                    case RowIdentity.LAST_UPDATED_SEQUENCE -> row -> sequenceNumber;
                    default -> {
                        int column = column(plan, field.name());
                        yield row -> row.values()[column];
                    }
                })
                .toList();
        return new HeapFile<>(file, columns);
    }

    private static int column(ViewPlan plan, String name) {
        for (int i = 0; i < plan.columns().size(); i++) {
            if (plan.columns().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException("the view does not compute its column " + name);
    }
}
