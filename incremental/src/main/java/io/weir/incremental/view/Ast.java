package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What is done with the nodes of the engine's syntax tree, whatever they mean. No node is ever changed in place. */
final class Ast {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Ast() {}

    static boolean isClass(JsonNode node, String name) {
        return node.path("class").asText().equals(name);
    }

    static boolean isFunction(JsonNode node) {
        return isClass(node, "FUNCTION");
    }

    static String alias(JsonNode node) {
        return node.path("alias").asText();
    }

    /** The node as it computes, without the name it is given. */
    static JsonNode unnamed(JsonNode node) {
        return named(node, "");
    }

    static JsonNode named(JsonNode node, String alias) {
        if (!node.isObject() || alias(node).equals(alias)) {
            return node;
        }
        ObjectNode copy = ((ObjectNode) node).objectNode();
        copy.setAll((ObjectNode) node);
        copy.put("alias", alias);
        return copy;
    }

    static JsonNode with(JsonNode node, String field, JsonNode value) {
        ObjectNode copy = NODES.objectNode();
        copy.setAll((ObjectNode) node);
        copy.set(field, value);
        return copy;
    }

    static ArrayNode array(List<? extends JsonNode> nodes) {
        return NODES.arrayNode().addAll(nodes);
    }

    static boolean isNull(JsonNode node) {
        return node.isNull() || node.isMissingNode();
    }

    static JsonNode column(String... names) {
        ObjectNode node = NODES.objectNode();
        node.put("class", "COLUMN_REF").put("type", "COLUMN_REF").put("alias", "");
        ArrayNode parts = node.putArray("column_names");
        for (String name : names) {
            parts.add(name);
        }
        return node;
    }

    static JsonNode equal(JsonNode left, JsonNode right) {
        ObjectNode node = NODES.objectNode();
        node.put("class", "COMPARISON").put("type", "COMPARE_EQUAL").put("alias", "");
        node.set("left", left);
        node.set("right", right);
        return node;
    }

    static JsonNode and(JsonNode left, JsonNode right) {
        ObjectNode node = NODES.objectNode();
        node.put("class", "CONJUNCTION").put("type", "CONJUNCTION_AND").put("alias", "");
        List<JsonNode> children = new ArrayList<>(conjuncts(left));
        children.addAll(conjuncts(right));
        node.set("children", array(children));
        return node;
    }

    /** What must all be true for the condition to be. */
    static List<JsonNode> conjuncts(JsonNode condition) {
        return isClass(condition, "CONJUNCTION")
                        && condition.path("type").asText().equals("CONJUNCTION_AND")
                ? list(condition.path("children")).stream()
                        .flatMap(child -> conjuncts(child).stream())
                        .toList()
                : List.of(condition);
    }

    static JsonNode coalesce(JsonNode first, JsonNode second) {
        ObjectNode node = NODES.objectNode();
        node.put("class", "OPERATOR").put("type", "OPERATOR_COALESCE").put("alias", "");
        node.set("children", array(List.of(first, second)));
        return node;
    }

    /** A condition that always holds, as the engine reads it. */
    static JsonNode yes() {
        ObjectNode node = NODES.objectNode();
        node.put("class", "CAST").put("type", "OPERATOR_CAST").put("alias", "");
        node.set("child", text("t"));
        node.set("cast_type", type("BOOLEAN"));
        return node.put("try_cast", false);
    }

    /** A join of the same kind, on this condition. */
    static JsonNode join(JsonNode join, JsonNode left, JsonNode right, JsonNode condition) {
        ObjectNode node = NODES.objectNode();
        node.setAll((ObjectNode) join);
        node.set("left", left);
        node.set("right", right);
        node.set("condition", condition);
        node.put("ref_type", "REGULAR");
        node.set("using_columns", NODES.arrayNode());
        return node;
    }

    /** {@code (of).field} */
    static JsonNode field(JsonNode of, String field) {
        ObjectNode node = NODES.objectNode();
        node.put("class", "OPERATOR").put("type", "STRUCT_EXTRACT").put("alias", "");
        node.set("children", array(List.of(of, text(field))));
        return node;
    }

    private static ObjectNode type(String id) {
        return NODES.objectNode().put("id", id).putNull("type_info");
    }

    private static JsonNode text(String text) {
        ObjectNode value = NODES.objectNode();
        value.set("type", type("VARCHAR"));
        value.put("is_null", false).put("value", text);
        ObjectNode node = NODES.objectNode();
        node.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
        node.set("value", value);
        return node;
    }

    /** A number written with an exponent: a DOUBLE, which printed plainly would be read as a decimal. */
    static boolean isDouble(JsonNode node) {
        return isClass(node, "CONSTANT")
                && !node.path("value").path("is_null").asBoolean()
                && node.path("value").path("type").path("id").asText().equals("DOUBLE");
    }

    /** {@code CAST('1E-3' AS DOUBLE)} for that number. */
    static JsonNode doubleCast(JsonNode constant) {
        ObjectNode node = NODES.objectNode();
        node.put("class", "CAST").put("type", "OPERATOR_CAST").put("alias", alias(constant));
        node.set("child", text(constant.path("value").path("value").asText()));
        node.set("cast_type", type("DOUBLE"));
        return node.put("try_cast", false);
    }

    static List<String> columnNames(JsonNode reference) {
        List<String> names = new ArrayList<>();
        reference.path("column_names").forEach(name -> names.add(name.asText()));
        return names;
    }

    static List<JsonNode> list(JsonNode array) {
        List<JsonNode> nodes = new ArrayList<>();
        array.forEach(nodes::add);
        return nodes;
    }

    /**
     * The tree with every topmost node that {@code replacement} has an answer for replaced by it. What was an argument's
     * name stays.
     */
    static JsonNode replace(JsonNode node, Function<JsonNode, Optional<JsonNode>> replacement) {
        if (node.isObject() && node.has("class")) {
            Optional<JsonNode> replaced = replacement.apply(node);
            if (replaced.isPresent()) {
                return named(replaced.get(), alias(node));
            }
        }
        return children(node, child -> replace(child, replacement));
    }

    /** The node with each of its direct children mapped. */
    static JsonNode children(JsonNode node, Function<JsonNode, JsonNode> mapping) {
        if (node.isArray()) {
            ArrayNode copy = NODES.arrayNode();
            node.forEach(child -> copy.add(mapping.apply(child)));
            return copy;
        }
        if (node.isObject()) {
            ObjectNode copy = NODES.objectNode();
            node.properties().forEach(entry -> copy.set(entry.getKey(), mapping.apply(entry.getValue())));
            return copy;
        }
        return node;
    }

    static boolean anyMatch(JsonNode node, java.util.function.Predicate<JsonNode> test) {
        if (node.isObject() && node.has("class") && test.test(node)) {
            return true;
        }
        for (JsonNode child : node) {
            if (anyMatch(child, test)) {
                return true;
            }
        }
        return false;
    }

    /** The tree without the places in the text, which say nothing of what it computes. */
    static JsonNode withoutPlaces(JsonNode node) {
        if (node.isObject()) {
            ObjectNode copy = NODES.objectNode();
            node.properties().forEach(entry -> {
                if (!entry.getKey().equals("query_location")) {
                    copy.set(entry.getKey(), withoutPlaces(entry.getValue()));
                }
            });
            return copy;
        }
        return children(node, Ast::withoutPlaces);
    }
}
