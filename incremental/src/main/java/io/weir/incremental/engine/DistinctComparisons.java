package io.weir.incremental.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * The pass that keeps {@code IS DISTINCT FROM}, and what the engine makes it of ({@code IS NOT TRUE}, {@code NOT (… IS NOT
 * DISTINCT FROM …)}), away from the engine's table filters, by standing it in a CASE.
 *
 * <p>Where such a comparison of a column with a constant is one side of an OR, DuckDB 1.5 looks at the column's least and
 * greatest value alone and takes it that no row meets it, though NULL does: {@code x < 5 OR x IS DISTINCT FROM 9} loses the
 * rows of a row group in which x is NULL or 9 everywhere.
 */
public final class DistinctComparisons {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Set<String> DISTINCT = Set.of("COMPARE_DISTINCT_FROM");
    private static final Set<String> EITHER = Set.of("COMPARE_DISTINCT_FROM", "COMPARE_NOT_DISTINCT_FROM");

    private DistinctComparisons() {}

    /** The same syntax tree, guarded; a tree that is guarded already is left as it is. Nothing is changed in place. */
    public static JsonNode guarded(JsonNode tree) {
        return guarded(tree, DISTINCT);
    }

    private static JsonNode guarded(JsonNode node, Set<String> kinds) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = NODES.arrayNode(array.size());
            array.forEach(element -> copy.add(guarded(element, kinds)));
            return copy;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        if (isGuard(object)) {
            JsonNode check = object.path("case_checks").path(0);
            return guard(inside((ObjectNode) check.path("when_expr"), kinds), object);
        }
        ObjectNode copy = inside(object, kinds);
        return kinds.contains(type(object)) ? guard(copy, object) : copy;
    }

    private static ObjectNode inside(ObjectNode node, Set<String> kinds) {
        Set<String> within = type(node).equals("OPERATOR_NOT") ? EITHER : kinds;
        ObjectNode copy = NODES.objectNode();
        node.properties().forEach(field -> copy.set(field.getKey(), guarded(field.getValue(), within)));
        return copy;
    }

    private static String type(JsonNode node) {
        return node.path("type").asText();
    }

    /** Whether this is {@code CASE WHEN a IS DISTINCT FROM b THEN true ELSE false END}. */
    private static boolean isGuard(ObjectNode node) {
        JsonNode checks = node.path("case_checks");
        return type(node).equals("CASE_EXPR")
                && checks.size() == 1
                && EITHER.contains(type(checks.path(0).path("when_expr")))
                && isTruth(checks.path(0).path("then_expr"), "t")
                && isTruth(node.path("else_expr"), "f");
    }

    private static boolean isTruth(JsonNode node, String value) {
        return type(node).equals("OPERATOR_CAST")
                && node.path("cast_type").path("id").asText().equals("BOOLEAN")
                && node.path("child").path("value").path("value").asText().equals(value);
    }

    /** @param named has the alias, and the place in the text where there is one */
    private static ObjectNode guard(ObjectNode comparison, ObjectNode named) {
        ObjectNode guard = NODES.objectNode();
        guard.put("class", "CASE").put("type", "CASE_EXPR");
        guard.set("alias", named.path("alias"));
        place(guard, named);
        ObjectNode check = guard.putArray("case_checks").addObject();
        check.set("when_expr", comparison.put("alias", ""));
        check.set("then_expr", truth("t", named));
        guard.set("else_expr", truth("f", named));
        return guard;
    }

    private static ObjectNode truth(String value, ObjectNode like) {
        ObjectNode cast = NODES.objectNode();
        cast.put("class", "CAST").put("type", "OPERATOR_CAST").put("alias", "");
        place(cast, like);
        ObjectNode constant = cast.putObject("child");
        constant.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
        place(constant, like);
        ObjectNode held = constant.putObject("value");
        held.putObject("type").put("id", "VARCHAR").putNull("type_info");
        held.put("is_null", false).put("value", value);
        cast.putObject("cast_type").put("id", "BOOLEAN").putNull("type_info");
        return cast.put("try_cast", false);
    }

    private static void place(ObjectNode node, ObjectNode like) {
        if (like.has("query_location")) {
            node.set("query_location", like.path("query_location"));
        }
    }
}
