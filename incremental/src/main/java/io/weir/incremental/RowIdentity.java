package io.weir.incremental;

import org.apache.iceberg.types.Types;

/**
 * The hidden columns that say which row this is and which commit wrote it, under the field ids the Iceberg
 * specification reserves for them, and the range of ids for state that rides in a view's files.
 */
public final class RowIdentity {
    public static final int ROW_ID = 2147483540;
    public static final int LAST_UPDATED_SEQUENCE = 2147483539;

    /** Field ids from here on are hidden from every reader, and must not appear in a manifest's metrics. */
    public static final int FIRST_HIDDEN = 2_000_000_000;

    public static final Types.NestedField ROW_ID_FIELD =
            Types.NestedField.optional(ROW_ID, "_row_id", Types.LongType.get());
    public static final Types.NestedField LAST_UPDATED_SEQUENCE_FIELD =
            Types.NestedField.optional(LAST_UPDATED_SEQUENCE, "_last_updated_sequence_number", Types.LongType.get());

    private RowIdentity() {}

    public static boolean isHidden(int fieldId) {
        return fieldId >= FIRST_HIDDEN;
    }
}
