package io.weir.incremental.engine;

import java.util.List;
import java.util.Set;

/**
 * A SELECT that {@link SqlGuard} let through, printed back from its syntax tree.
 *
 * @param sql what to run once {@code tables} are exposed with {@code systemColumns}; its parameters are {@code $1} and
 *     so on
 * @param tables every table it reads, each once
 * @param systemColumns the system columns it names anywhere
 * @param parameters the names (or numbers) its parameters had, in the order of their new numbers
 */
public record CheckedSql(
        String sql, List<TableReference> tables, Set<SystemColumn> systemColumns, List<String> parameters) {
    public CheckedSql {
        tables = List.copyOf(tables);
        systemColumns = Set.copyOf(systemColumns);
        parameters = List.copyOf(parameters);
    }
}
