package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.engine.Quoting;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One aggregate call of a view, taken apart and printed.
 *
 * @param argument SQL over the source's columns; empty for {@code count(*)}
 * @param filter SQL of its FILTER
 * @param argumentType as the engine spells it
 */
record AggregateCall(
        String function, boolean distinct, Optional<String> argument, Optional<String> filter, String argumentType) {
    private static final Set<String> WHOLE =
            Set.of("bool_and", "bool_or", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop");

    private static final Set<String> WHOLE_NUMBERS = Set.of(
            "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT");

    private static final Set<String> FLOATS = Set.of("FLOAT", "DOUBLE");

    /** The function called, refused where views do not know it. */
    static String function(JsonNode call) {
        String name = call.path("function_name").asText().toLowerCase(Locale.ROOT);
        String function = name.equals("mean") ? "avg" : name;
        int arguments = call.path("children").size();
        boolean known = switch (function) {
            case "count_star" -> true;
            case "count", "sum", "min", "max", "avg" -> arguments == 1;
            default -> WHOLE.contains(function) && arguments == 1;
        };
        if (!known) {
            throw ViewException.unsupported("the aggregate " + name + "() with " + arguments + " arguments");
        }
        if (!call.path("order_bys").path("orders").isEmpty()
                || call.path("export_state").asBoolean()) {
            throw ViewException.unsupported("ORDER BY inside an aggregate");
        }
        return function;
    }

    boolean isWholeNumber() {
        return WHOLE_NUMBERS.contains(argumentType) || (argumentType.equals("BOOLEAN") && function.equals("sum"));
    }

    boolean isDecimal() {
        return argumentType.startsWith("DECIMAL");
    }

    int scale() {
        return Integer.parseInt(argumentType.substring(argumentType.indexOf(',') + 1, argumentType.length() - 1));
    }

    /** Why this cannot be moved by what comes and goes alone; empty where it can. */
    Optional<String> whyWhole() {
        if (distinct && !function.equals("min") && !function.equals("max")) {
            return Optional.of(function + "(DISTINCT …) needs every value of a touched group");
        }
        if (WHOLE.contains(function)) {
            return Optional.of(function + "() is worked out from every row of a touched group");
        }
        if ((function.equals("sum") || function.equals("avg")) && !isWholeNumber() && !isDecimal()) {
            return Optional.of(function + "() of " + argumentType + " depends on the order of adding, so that a touched"
                    + " group is added up again");
        }
        return Optional.empty();
    }

    /** The argument, NULL where the filter leaves the row out. */
    String filtered() {
        String value = argument.orElse("1");
        return filter.map(condition -> "CASE WHEN " + condition + " THEN " + value + " END")
                .orElse(value);
    }

    /** The whole call; floats are added in the order of their values, so that the same rows give the same sum. */
    String whole() {
        if (argument.isEmpty()) {
            return "count(*)" + filterClause();
        }
        String order = FLOATS.contains(argumentType) && !function.equals("count") ? " ORDER BY " + argument.get() : "";
        return Quoting.name(function) + "(" + (distinct ? "DISTINCT " : "") + argument.get() + order + ")"
                + filterClause();
    }

    private String filterClause() {
        return filter.map(condition -> " FILTER (WHERE " + condition + ")").orElse("");
    }
}
