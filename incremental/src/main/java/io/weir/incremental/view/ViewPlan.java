package io.weir.incremental.view;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/**
 * A compiled view: all that is needed to fill it and to move it, and nothing of where its rows are.
 *
 * @param query what to keep of the view: compiled again it makes the same view, whatever its sources gained since
 * @param canonicalSql the query with every name and star resolved, as the engine prints it; what {@link Reference} runs
 * @param sources qualified names of what it reads
 * @param labels what the canonical query calls each table it reads, and that table's qualified name
 * @param kind {@code rows}, {@code join} or {@code aggregate}
 * @param refresh {@code incremental} or {@code by key}
 * @param reason why not incremental
 */
public record ViewPlan(
        String query,
        String canonicalSql,
        List<String> sources,
        Map<String, String> labels,
        List<OutputColumn> columns,
        Stage stage,
        String kind,
        String refresh,
        Optional<String> reason,
        List<Expectation> expectations,
        List<HiddenColumn> hidden) {
    public ViewPlan {
        sources = List.copyOf(sources);
        labels = Map.copyOf(labels);
        columns = List.copyOf(columns);
        expectations = List.copyOf(expectations);
        hidden = List.copyOf(hidden);
    }

    /** The view's schema for a table that is yet to be made: all optional, ids counted from 1. */
    public Schema schema() {
        int[] next = {columns.size()};
        List<NestedField> fields = new java.util.ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            OutputColumn column = columns.get(i);
            fields.add(NestedField.optional(
                    i + 1,
                    column.name(),
                    org.apache.iceberg.types.TypeUtil.assignFreshIds(column.type(), () -> ++next[0])));
        }
        return new Schema(fields);
    }

    /** The names and types of the columns and of the hidden ones: plans of one view that differ in it store other rows. */
    public String layout() {
        return Stream.concat(
                        columns.stream().map(column -> column.name() + " " + column.duckType()),
                        hidden.stream().map(column -> column.name() + " " + column.duckType()))
                .collect(Collectors.joining(", ", " (", ")"));
    }

    boolean hasDrops() {
        return expectations.stream().anyMatch(expectation -> expectation.onViolation() == OnViolation.DROP);
    }

    /** Whether a group may have rows in the source and none in the view. */
    boolean mayHideGroups() {
        return hasDrops()
                || switch (stage) {
                    case RowStage rows -> false;
                    case CombinedStage rows -> false;
                    case GroupStage groups -> groups.having().isPresent();
                };
    }
}
