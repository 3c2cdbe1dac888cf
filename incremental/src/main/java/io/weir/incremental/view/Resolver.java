package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.SqlState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The pass that gives every name in an expression its meaning: a column, a name given in the SELECT list (replaced by
 * what it stands for), or a parameter of a lambda. It refuses what a view cannot hold: sub-queries, windows, functions
 * that are not deterministic. A column comes before a name of the list, as the engine has it.
 */
final class Resolver {
    private final Names names;
    private final FunctionCatalog functions;
    private final Map<String, JsonNode> aliases = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    Resolver(Names names, FunctionCatalog functions) {
        this.names = names;
        this.functions = functions;
    }

    /** From here on {@code name} stands for {@code resolved}, unless it is taken. */
    void define(String name, JsonNode resolved) {
        if (!name.isEmpty()) {
            aliases.putIfAbsent(name, Ast.unnamed(resolved));
        }
    }

    JsonNode resolve(JsonNode node) {
        return resolve(node, Set.of());
    }

    /** As HAVING reads it: outside of aggregates a name of the list comes before a column that is no key. */
    JsonNode resolveHaving(JsonNode node, Set<JsonNode> keys) {
        JsonNode aliased = Ast.replace(node, reference -> {
            if (isAggregate(reference)) {
                return Optional.of(reference);
            }
            List<String> parts = Ast.columnNames(reference);
            if (!Ast.isClass(reference, "COLUMN_REF") || parts.size() != 1) {
                return Optional.empty();
            }
            boolean key = names.find(parts).filter(keys::contains).isPresent();
            return key ? Optional.empty() : Optional.ofNullable(aliases.get(parts.getFirst()));
        });
        return resolve(aliased);
    }

    private JsonNode resolve(JsonNode node, Set<String> parameters) {
        return switch (node.path("class").asText()) {
            case "COLUMN_REF" -> Ast.named(column(node, parameters), Ast.alias(node));
            case "LAMBDA" -> lambda(node, parameters);
            case "FUNCTION" -> {
                functions.check(
                        node.path("function_name").asText(),
                        node.path("schema").asText(),
                        node.path("children").size());
                yield resolveChildren(node, parameters);
            }
            case "CONSTANT" -> Ast.isDouble(node) ? Ast.doubleCast(node) : node;
            case "SUBQUERY" -> throw ViewException.unsupported("a sub-query");
            case "WINDOW" -> throw ViewException.unsupported("a window function");
            case "STAR" -> throw ViewException.unsupported("COLUMNS(…), or a * inside an expression,");
            case "COLLATE" -> throw ViewException.unsupported("COLLATE");
            case "PARAMETER" -> throw ViewException.unsupported("a parameter");
            case "DEFAULT", "POSITIONAL_REFERENCE" -> throw ViewException.unsupported("a reference by position");
            case "OPERATOR" -> {
                if (node.path("type").asText().equals("GROUPING_FUNCTION")) {
                    throw ViewException.unsupported("GROUPING()");
                }
                yield resolveChildren(node, parameters);
            }
            default -> resolveChildren(node, parameters);
        };
    }

    private JsonNode resolveChildren(JsonNode node, Set<String> parameters) {
        return Ast.children(node, child -> resolve(child, parameters));
    }

    private JsonNode lambda(JsonNode lambda, Set<String> outer) {
        Set<String> parameters = new HashSet<>(outer);
        JsonNode left = lambda.path("lhs");
        List<JsonNode> declared = new ArrayList<>();
        if (Ast.isClass(left, "COLUMN_REF")) {
            declared.add(left);
        } else {
            left.path("children").forEach(declared::add);
        }
        declared.forEach(parameter -> Ast.columnNames(parameter).forEach(name -> parameters.add(parameter(name))));
        return Ast.with(lambda, "expr", resolve(lambda.path("expr"), parameters));
    }

    /** Names with a dot or a space are those that columns of several tables go by. */
    private static String parameter(String name) {
        if (name.contains(".") || name.contains(" ")) {
            throw ViewException.unsupported(
                    "a parameter of a lambda with a dot or a space in its name, \"" + name + "\",");
        }
        return name.toLowerCase(Locale.ROOT);
    }

    private JsonNode column(JsonNode reference, Set<String> parameters) {
        List<String> parts = Ast.columnNames(reference);
        if (parameters.contains(parts.getFirst().toLowerCase(Locale.ROOT))) {
            return Ast.unnamed(reference);
        }
        Optional<JsonNode> column = names.find(parts);
        if (column.isPresent()) {
            return column.get();
        }
        if (parts.size() == 1 && aliases.containsKey(parts.getFirst())) {
            return aliases.get(parts.getFirst());
        }
        if (parts.size() == 1 && FunctionCatalog.isClockOrUser(parts.getFirst())) {
            throw FunctionCatalog.notDeterministic(parts.getFirst());
        }
        throw names.unknown(parts);
    }

    /** Refuses an aggregate where only a row's own values can stand. */
    void refuseAggregates(JsonNode node, String where) {
        if (Ast.anyMatch(node, this::isAggregate)) {
            throw new ViewException(SqlState.GROUPING_ERROR, "an aggregate cannot stand in " + where, "");
        }
    }

    boolean isAggregate(JsonNode node) {
        return Ast.isFunction(node)
                && functions.isAggregate(node.path("function_name").asText());
    }
}
