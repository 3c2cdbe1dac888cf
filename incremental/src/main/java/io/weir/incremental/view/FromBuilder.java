package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pass from a resolved FROM to the tree a stage reads. Columns of several tables get names that are all different; what
 * WHERE says of an inner join's rows becomes part of its condition, so that no join is larger than it must be; columns that
 * nothing mentions are left out.
 */
final class FromBuilder {
    private final Syntax syntax;
    private final FromClause clause;
    private final Map<String, Map<String, String>> flat = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private final List<JsonNode> remaining = new ArrayList<>();
    private Optional<From> built = Optional.empty();

    /** @param where over the clause's columns */
    FromBuilder(Syntax syntax, FromClause clause, Optional<JsonNode> where) {
        this.syntax = syntax;
        if (clause instanceof FromClause.Table) {
            where.ifPresent(remaining::add);
            this.clause = clause;
            return;
        }
        for (FromClause.Table table : clause.tables()) {
            String prefix = table.label().substring(FromReader.LABEL.length()) + ".";
            flat.put(
                    table.label(),
                    table.columns().keySet().stream().collect(Collectors.toMap(name -> name, name -> prefix + name)));
        }
        this.clause = placed(clause, where.map(Ast::conjuncts).orElse(List.of()), remaining);
    }

    /** What of WHERE is left. */
    Optional<JsonNode> where() {
        return remaining.stream().reduce(Ast::and);
    }

    /** The expression over the names columns go by in the stage. Only columns that were mentioned so are read. */
    JsonNode flattened(JsonNode expression) {
        return Ast.replace(expression, node -> {
            List<String> names = Ast.isClass(node, "COLUMN_REF") ? Ast.columnNames(node) : List.of();
            if (names.size() != 2 || !flat.containsKey(names.getFirst())) {
                return Optional.empty();
            }
            String name = flat.get(names.getFirst()).get(names.getLast());
            used.add(name);
            return Optional.of(Ast.column(name));
        });
    }

    /** The tree, once everything has been {@link #flattened}. */
    From build() {
        if (built.isEmpty()) {
            built = Optional.of(whole());
        }
        return built.get();
    }

    private From whole() {
        return clause instanceof FromClause.Table table
                ? new From.Scan(
                        table.source(),
                        table.columns().keySet().stream()
                                .map(name -> column(table, name, name))
                                .toList())
                : pruned(built(clause));
    }

    private From built(FromClause from) {
        return switch (from) {
            case FromClause.Table table ->
                new From.Scan(
                        table.source(),
                        table.columns().keySet().stream()
                                .map(name -> column(
                                        table, name, flat.get(table.label()).get(name)))
                                .toList());
            case FromClause.Join join ->
                new From.Join(
                        built(join.left()),
                        built(join.right()),
                        join.kind(),
                        join.condition()
                                .map(this::flattened)
                                .map(condition ->
                                        syntax.print(List.of(condition)).getFirst()));
        };
    }

    private static From.Column column(FromClause.Table table, String name, String as) {
        boolean told = switch (table.schema().findField(name).type().typeId()) {
            case FLOAT, DOUBLE, STRUCT, LIST, MAP, VARIANT, GEOMETRY, GEOGRAPHY, UNKNOWN -> false;
            case BOOLEAN, INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO, STRING, UUID, FIXED, BINARY, DECIMAL ->
                true;
        };
        return new From.Column(name, as, told);
    }

    private From pruned(From from) {
        return switch (from) {
            case From.Scan scan ->
                new From.Scan(
                        scan.source(),
                        scan.read().stream()
                                .filter(column -> used.contains(column.as()))
                                .toList());
            case From.Join join ->
                new From.Join(pruned(join.left()), pruned(join.right()), join.kind(), join.condition());
        };
    }

    /** Puts each condition at the lowest inner join that has all it mentions; those that have no such place remain. */
    private static FromClause placed(FromClause from, List<JsonNode> conditions, List<JsonNode> remaining) {
        if (!(from instanceof FromClause.Join join) || join.kind() != From.JoinKind.INNER) {
            remaining.addAll(conditions);
            return from;
        }
        List<JsonNode> left = new ArrayList<>();
        List<JsonNode> right = new ArrayList<>();
        List<JsonNode> here = new ArrayList<>();
        for (JsonNode condition : conditions) {
            Set<String> labels = labels(condition);
            if (labels.isEmpty()) {
                remaining.add(condition);
            } else if (has(join.left(), labels)) {
                left.add(condition);
            } else if (has(join.right(), labels)) {
                right.add(condition);
            } else {
                here.add(condition);
            }
        }
        FromClause placedLeft = placed(join.left(), left, here);
        FromClause placedRight = placed(join.right(), right, here);
        Optional<JsonNode> more = here.stream().reduce(Ast::and);
        Optional<JsonNode> condition = more.map(added ->
                        join.condition().map(own -> Ast.and(own, added)).orElse(added))
                .or(join::condition);
        return join.with(placedLeft, placedRight, condition);
    }

    private static boolean has(FromClause from, Set<String> labels) {
        return from.tables().stream()
                .map(FromClause.Table::label)
                .collect(Collectors.toSet())
                .containsAll(labels);
    }

    private static Set<String> labels(JsonNode condition) {
        Set<String> labels = new HashSet<>();
        Ast.anyMatch(condition, node -> {
            if (Ast.isClass(node, "COLUMN_REF") && Ast.columnNames(node).size() == 2) {
                labels.add(Ast.columnNames(node).getFirst());
            }
            return false;
        });
        return labels;
    }
}
