package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.SqlState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;

/**
 * A view's SELECT with every name resolved, as syntax trees. What reads one table has its columns under their own names,
 * what reads several has each under its table's label.
 *
 * @param select the whole statement, rebuilt from the parts below, over tables called by their labels
 * @param items the SELECT list, each named as the query names it or not at all
 * @param keys of GROUP BY, or all of the list for DISTINCT
 * @param grouped whether rows are brought together at all; without keys, into one
 */
record Query(
        JsonNode select,
        FromClause from,
        List<JsonNode> items,
        Optional<JsonNode> where,
        List<JsonNode> keys,
        Optional<JsonNode> having,
        boolean grouped,
        Resolver resolver) {
    /** The label of the source of a view that reads one. */
    static final String SOURCE = "weir source";

    /** {@code statement}, one made from {@link #select}, over the sources by their own names: it compiles to the same view. */
    JsonNode overSources(JsonNode statement) {
        return Ast.with(statement, "from_table", from.overSources());
    }

    /** Reads a parsed SELECT; {@code sources} are the schemas by qualified name. */
    static Query of(JsonNode select, Map<String, Schema> sources, FunctionCatalog functions) {
        UnsupportedClauses.refuse(select);
        FromClause from = new FromReader(sources, functions).read(select.path("from_table"));
        Resolver resolver = new Resolver(from.names(), functions);

        List<JsonNode> items = new ArrayList<>();
        for (JsonNode item : new StarExpansion(from.names()).expand(Ast.list(select.path("select_list")))) {
            JsonNode resolved = resolver.resolve(item);
            resolver.define(Ast.alias(item), resolved);
            items.add(columnName(item).map(name -> Ast.named(resolved, name)).orElse(resolved));
        }
        Optional<JsonNode> where = optional(select.path("where_clause")).map(resolver::resolve);
        where.ifPresent(condition -> resolver.refuseAggregates(condition, "WHERE"));
        List<JsonNode> keys = keys(select, items, resolver);
        Optional<JsonNode> having = optional(select.path("having"))
                .map(condition -> resolver.resolveHaving(condition, new java.util.HashSet<>(keys)));
        boolean aggregates = items.stream().anyMatch(item -> Ast.anyMatch(item, resolver::isAggregate));
        boolean grouped = !keys.isEmpty() || aggregates || having.isPresent();
        boolean distinct = UnsupportedClauses.isDistinct(select);
        if (distinct && grouped) {
            throw ViewException.unsupported("DISTINCT together with GROUP BY or aggregates");
        }
        JsonNode rebuilt = rebuild(select, from, items, where, keys, having, distinct);
        List<JsonNode> groups =
                distinct ? items.stream().map(Ast::unnamed).distinct().toList() : keys;
        return new Query(rebuilt, from, items, where, groups, having, grouped || distinct, resolver);
    }

    /** A column, or a field of one, goes by its own name where the query gives none. */
    private static Optional<String> columnName(JsonNode item) {
        boolean named = Ast.isClass(item, "COLUMN_REF") && Ast.alias(item).isEmpty();
        return named ? Optional.of(Ast.columnNames(item).getLast()) : Optional.empty();
    }

    private static JsonNode rebuild(
            JsonNode select,
            FromClause from,
            List<JsonNode> items,
            Optional<JsonNode> where,
            List<JsonNode> keys,
            Optional<JsonNode> having,
            boolean distinct) {
        JsonNode rebuilt = Ast.with(select, "select_list", Ast.array(items));
        JsonNode absent = select.path("qualify");
        rebuilt = Ast.with(rebuilt, "from_table", from.overLabels());
        rebuilt = Ast.with(rebuilt, "where_clause", where.orElse(absent));
        rebuilt = Ast.with(rebuilt, "group_expressions", Ast.array(keys));
        rebuilt = Ast.with(rebuilt, "group_sets", UnsupportedClauses.oneSet(keys.size()));
        rebuilt = Ast.with(rebuilt, "having", having.orElse(absent));
        rebuilt = UnsupportedClauses.withoutOrder(rebuilt, distinct);
        return UnsupportedClauses.plainHandling(rebuilt);
    }

    private static List<JsonNode> keys(JsonNode select, List<JsonNode> items, Resolver resolver) {
        if (select.path("aggregate_handling").asText().equals("FORCE_AGGREGATES")) {
            return items.stream()
                    .filter(item -> !Ast.anyMatch(item, resolver::isAggregate))
                    .map(Ast::unnamed)
                    .distinct()
                    .toList();
        }
        List<JsonNode> keys = new ArrayList<>();
        for (JsonNode expression : select.path("group_expressions")) {
            JsonNode key = Ast.unnamed(UnsupportedClauses.ordinal(expression)
                    .map(at -> item(items, at))
                    .orElseGet(() -> resolver.resolve(expression)));
            resolver.refuseAggregates(key, "GROUP BY");
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private static JsonNode item(List<JsonNode> items, int at) {
        if (at < 1 || at > items.size()) {
            throw new ViewException(
                    SqlState.GROUPING_ERROR,
                    "GROUP BY " + at + " is not in the SELECT list, which has " + items.size() + " columns",
                    "");
        }
        return items.get(at - 1);
    }

    private static Optional<JsonNode> optional(JsonNode node) {
        return Ast.isNull(node) ? Optional.empty() : Optional.of(node);
    }
}
