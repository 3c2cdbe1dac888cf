package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pass that splits expressions over groups: every key in them becomes {@code k0, k1, …} and every aggregate call
 * {@code a0, a1, …}, equal ones the same.
 */
final class Grouping {
    private final List<JsonNode> keys;
    private final Predicate<JsonNode> isAggregate;
    private final List<JsonNode> calls = new ArrayList<>();

    Grouping(List<JsonNode> keys, Predicate<JsonNode> isAggregate) {
        this.keys = List.copyOf(keys);
        this.isAggregate = isAggregate;
    }

    JsonNode split(JsonNode expression) {
        return Ast.replace(expression, node -> {
            JsonNode unnamed = Ast.unnamed(node);
            int key = keys.indexOf(unnamed);
            if (key >= 0) {
                return Optional.of(Ast.column("k" + key));
            }
            return isAggregate.test(node) ? Optional.of(Ast.column("a" + call(unnamed))) : Optional.empty();
        });
    }

    private int call(JsonNode call) {
        int known = calls.indexOf(call);
        if (known >= 0) {
            return known;
        }
        calls.add(call);
        return calls.size() - 1;
    }

    /** The aggregate calls met so far, {@code a0} first. */
    List<JsonNode> calls() {
        return List.copyOf(calls);
    }
}
