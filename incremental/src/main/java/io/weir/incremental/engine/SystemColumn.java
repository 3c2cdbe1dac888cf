package io.weir.incremental.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The columns every table has without listing them. */
public enum SystemColumn {
    ROW_ID("_row_id", "BIGINT"),
    VERSION("_version", "BIGINT"),
    CREATED_AT("_created_at", "TIMESTAMPTZ"),
    UPDATED_AT("_updated_at", "TIMESTAMPTZ");

    private final String columnName;
    private final String type;

    SystemColumn(String columnName, String type) {
        this.columnName = columnName;
        this.type = type;
    }

    public String columnName() {
        return columnName;
    }

    String type() {
        return type;
    }

    /** The system column of that name; names are compared as SQL does, without case. */
    public static Optional<SystemColumn> named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(column -> column.columnName.equals(lower))
                .findFirst();
    }
}
