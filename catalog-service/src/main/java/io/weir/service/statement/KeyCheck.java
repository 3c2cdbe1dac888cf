package io.weir.service.statement;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Rows;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.TableMetadata;

/**
 * An UPDATE that changes the key of rows must not give two rows one key. Inserts need no such check: a row of a key that
 * is there replaces the older one, in the coordinator.
 */
final class KeyCheck {
    private KeyCheck() {}

    static boolean isKeyed(TableMetadata metadata) {
        return metadata.propertyAsBoolean(NewTables.KEYED, false)
                && !metadata.schema().identifierFieldIds().isEmpty();
    }

    /**
     * Refuses with 23505.
     *
     * @param changed the temporary table of new rows, with {@code __in} and {@code __at} saying which old ones go
     */
    static void check(EngineSession session, TableMetadata metadata, TableRows current, String changed) {
        List<String> names =
                metadata.schema().identifierFieldNames().stream().sorted().toList();
        List<String> keys = names.stream().map(QualifiedName::quote).toList();
        String key = String.join(", ", keys);
        String sql =
                "SELECT " + key + " FROM " + changed + " GROUP BY " + key + " HAVING count(*) > 1 UNION ALL SELECT "
                        + keys.stream().map(k -> "t." + k).collect(Collectors.joining(", "))
                        + " FROM " + session.rows(current, true).as("t") + " SEMI JOIN " + changed + " AS c ON "
                        + keys.stream().map(k -> "t." + k + " = c." + k).collect(Collectors.joining(" AND "))
                        + " ANTI JOIN " + changed + " AS gone ON t.__file = gone.__in AND t.__pos = gone.__at LIMIT 1";
        try (Rows twice = session.query(sql)) {
            if (twice.next()) {
                throw new SqlException(
                        "23505",
                        "the update would give two rows the key (" + String.join(", ", names) + ") = " + twice.row(),
                        "Delete the other row first.");
            }
        }
    }
}
