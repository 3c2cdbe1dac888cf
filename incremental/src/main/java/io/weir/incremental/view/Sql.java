package io.weir.incremental.view;

import io.weir.incremental.engine.Quoting;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pieces of SQL that stages are put together from. */
final class Sql {
    private Sql() {}

    /** {@code f(0), f(1), …} with a separator between. */
    static String join(int size, String separator, IntFunction<String> part) {
        return IntStream.range(0, size).mapToObj(part).collect(Collectors.joining(separator));
    }

    /** Parts that are not empty, with commas between. */
    static String list(String... parts) {
        return List.of(parts).stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    static String cast(String expression, String type) {
        return "CAST(" + expression + " AS " + type + ")";
    }

    static String name(String name) {
        return Quoting.name(name);
    }

    /** The rows of a relation for which the condition holds, with all their columns. */
    static String filtered(String relation, java.util.Optional<String> where) {
        return where.map(condition -> "(SELECT * FROM " + relation + " WHERE " + condition + ")")
                .orElse(relation);
    }
}
