package io.weir.incremental.view;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A view as it was written.
 *
 * @param name the view's own qualified name, for messages
 * @param sql the SELECT
 * @param columns names for its columns, where they were given
 * @param constraints its expectations, in the order they were written
 * @param options what stood in WITH, names in lower case
 */
public record ViewDefinition(
        String name,
        String sql,
        Optional<List<String>> columns,
        List<Constraint> constraints,
        Map<String, String> options) {
    public ViewDefinition {
        columns = columns.map(List::copyOf);
        constraints = List.copyOf(constraints);
        options = Map.copyOf(options);
    }

    public static ViewDefinition of(String name, String sql) {
        return new ViewDefinition(name, sql, Optional.empty(), List.of(), Map.of());
    }
}
