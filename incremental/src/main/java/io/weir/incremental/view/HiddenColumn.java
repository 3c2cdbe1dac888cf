package io.weir.incremental.view;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/** A column of state that rides in the view's own files under a field id no reader of the table asks for. */
public record HiddenColumn(int fieldId, String name, Type type, String duckType) {
    NestedField field() {
        return NestedField.optional(fieldId, name, type);
    }
}
