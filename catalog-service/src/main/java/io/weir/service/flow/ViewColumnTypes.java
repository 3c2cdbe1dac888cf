package io.weir.service.flow;

import io.weir.incremental.SqlState;
import io.weir.incremental.view.ViewException;
import io.weir.incremental.view.ViewPlan;
import io.weir.service.rows.CapturedCommit;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.TypeUtil;

/**
 * Keeps the columns of a view's table what its query gives. When a source's column is widened, or a struct gets a field,
 * the view's does too, under the ids it has: a view whose table stayed narrow would refuse rows that are right, or round
 * them. What Iceberg cannot turn a column into is refused, as dropping the column would be.
 */
final class ViewColumnTypes {
    private ViewColumnTypes() {}

    /**
     * The view's metadata with the columns the plan gives; empty where it has them. A column of the table that is wider than
     * the plan's stays: it holds the same values.
     *
     * @throws ViewException when the table's columns can not become the plan's
     */
    static Optional<TableMetadata> follow(TableMetadata metadata, ViewPlan plan, FileIO io) {
        Schema wanted = plan.schema();
        if (same(metadata.schema(), wanted)) {
            return Optional.empty();
        }
        CapturedCommit commit = new CapturedCommit(metadata, io);
        try {
            UpdateSchema update = commit.table().updateSchema();
            update.unionByNameWith(wanted).commit();
        } catch (IllegalArgumentException e) {
            throw new ViewException(
                    SqlState.DATATYPE_MISMATCH,
                    "its columns would change in a way that Iceberg has no promotion for: " + e.getMessage(),
                    "drop the view first, or give the column another name",
                    e);
        }
        requireNothingLost(commit.changed().schema(), wanted);
        return commit.updates().isEmpty() ? Optional.empty() : Optional.of(commit.changed());
    }

    /**
     * A field that a struct no longer has may have told rows apart, in a group or a DISTINCT: the view can not follow by
     * leaving it out.
     */
    private static void requireNothingLost(Schema table, Schema wanted) {
        Set<String> lost = new TreeSet<>(TypeUtil.indexByName(table.asStruct()).keySet());
        lost.removeAll(TypeUtil.indexByName(wanted.asStruct()).keySet());
        if (!lost.isEmpty()) {
            throw new ViewException(
                    SqlState.UNDEFINED_COLUMN,
                    "it shows " + String.join(", ", lost) + ", which would be gone",
                    "drop the view first, or name in it the fields that stay");
        }
    }

    /** Whether they have the same names and types, whatever the field ids. */
    private static boolean same(Schema one, Schema other) {
        return one.sameSchema(other)
                || TypeUtil.assignIncreasingFreshIds(one).sameSchema(TypeUtil.assignIncreasingFreshIds(other));
    }
}
