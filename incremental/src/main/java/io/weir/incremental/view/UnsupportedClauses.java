package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.incremental.SqlState;
import java.util.List;
import java.util.Optional;

/**
 * What a view's SELECT is made of, clause by clause: each clause a view cannot hold yet is refused by its name, and what
 * says nothing of the rows (ORDER BY without LIMIT) is left out.
 */
final class UnsupportedClauses {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private UnsupportedClauses() {}

    static void refuse(JsonNode select) {
        switch (select.path("type").asText()) {
            case "SELECT_NODE" -> {}
            case "SET_OPERATION_NODE" ->
                throw ViewException.unsupported(
                        select.path("setop_type").asText("UNION").replace('_', ' ') + " of several SELECTs");
            case "RECURSIVE_CTE_NODE" -> throw ViewException.unsupported("recursion");
            default -> throw ViewException.unsupported("a statement of this kind");
        }
        if (!select.path("cte_map").path("map").isEmpty()) {
            throw ViewException.unsupported("WITH (a common table expression)");
        }
        if (!Ast.isNull(select.path("qualify"))) {
            throw ViewException.unsupported("QUALIFY");
        }
        if (!Ast.isNull(select.path("sample"))) {
            throw FunctionCatalog.notDeterministic("a sample");
        }
        for (JsonNode modifier : select.path("modifiers")) {
            modifier(modifier);
        }
        from(select.path("from_table"));
        int sets = select.path("group_sets").size();
        if (sets > 1
                || (sets == 1
                        && select.path("group_sets").get(0).size()
                                != select.path("group_expressions").size())) {
            throw ViewException.unsupported("GROUPING SETS, ROLLUP or CUBE");
        }
    }

    private static void modifier(JsonNode modifier) {
        switch (modifier.path("type").asText()) {
            case "ORDER_MODIFIER" -> {}
            case "DISTINCT_MODIFIER" -> {
                if (!modifier.path("distinct_on_targets").isEmpty()) {
                    throw ViewException.unsupported("DISTINCT ON");
                }
            }
            default -> throw ViewException.unsupported("LIMIT or OFFSET");
        }
    }

    private static void from(JsonNode from) {
        switch (from.path("type").asText()) {
            case "BASE_TABLE" -> {}
            case "JOIN" -> {
                switch (from.path("ref_type").asText()) {
                    case "REGULAR", "NATURAL", "CROSS" -> {}
                    case "ASOF" -> throw ViewException.unsupported("ASOF JOIN");
                    case "POSITIONAL" -> throw ViewException.unsupported("POSITIONAL JOIN");
                    default -> throw ViewException.unsupported("a join of this kind");
                }
                from(from.path("left"));
                from(from.path("right"));
            }
            case "SUBQUERY" -> throw ViewException.unsupported("a sub-query in FROM");
            case "TABLE_FUNCTION" ->
                throw ViewException.unsupported("the table function "
                        + from.path("function").path("function_name").asText() + "()");
            case "EMPTY" ->
                throw new ViewException(
                        SqlState.INVALID_DEFINITION,
                        "the view reads no table",
                        "name the table or view it follows after FROM");
            default -> throw ViewException.unsupported("what stands in FROM");
        }
        if (!Ast.isNull(from.path("sample"))) {
            throw FunctionCatalog.notDeterministic("a sample");
        }
        if (!Ast.isNull(from.path("at_clause"))) {
            throw ViewException.unsupported("reading the past (AT)");
        }
        if (!from.path("column_name_alias").isMissingNode()
                && !from.path("column_name_alias").isEmpty()) {
            throw ViewException.unsupported("a list of column names after the table's alias");
        }
    }

    static boolean isDistinct(JsonNode select) {
        for (JsonNode modifier : select.path("modifiers")) {
            if (modifier.path("type").asText().equals("DISTINCT_MODIFIER")) {
                return true;
            }
        }
        return false;
    }

    /** A number that stands for a place in the SELECT list. */
    static Optional<Integer> ordinal(JsonNode expression) {
        boolean number = Ast.isClass(expression, "CONSTANT")
                && expression.path("value").path("value").isIntegralNumber()
                && expression.path("value").path("type").path("id").asText().equals("INTEGER");
        return number ? Optional.of(expression.path("value").path("value").asInt()) : Optional.empty();
    }

    static JsonNode table(JsonNode from, String name) {
        ObjectNode table = NODES.objectNode();
        table.setAll((ObjectNode) from);
        return table.put("alias", "")
                .put("catalog_name", "")
                .put("schema_name", "")
                .put("table_name", name);
    }

    /** The table a view reads, whole name and all, called {@code alias}. */
    static JsonNode aliased(JsonNode from, List<String> parts, String alias) {
        ObjectNode table = NODES.objectNode();
        table.setAll((ObjectNode) from);
        return table.put("alias", alias)
                .put("catalog_name", "")
                .put("schema_name", String.join(".", parts.subList(0, parts.size() - 1)))
                .put("table_name", parts.getLast());
    }

    static JsonNode oneSet(int keys) {
        ArrayNode sets = NODES.arrayNode();
        if (keys > 0) {
            ArrayNode set = sets.addArray();
            for (int i = 0; i < keys; i++) {
                set.add(i);
            }
        }
        return sets;
    }

    static JsonNode withoutOrder(JsonNode select, boolean distinct) {
        List<JsonNode> kept = Ast.list(select.path("modifiers")).stream()
                .filter(modifier -> distinct && modifier.path("type").asText().equals("DISTINCT_MODIFIER"))
                .toList();
        return Ast.with(select, "modifiers", Ast.array(kept));
    }

    static JsonNode plainHandling(JsonNode select) {
        return Ast.with(select, "aggregate_handling", NODES.textNode("STANDARD_HANDLING"));
    }
}
