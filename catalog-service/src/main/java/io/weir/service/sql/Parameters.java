package io.weir.service.sql;

import io.weir.service.sql.Token.Kind;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Puts values in the place of {@code $name}: as literals, so that every kind of statement may have them. A string stays
 * one literal whatever it holds. Values are plain Java as JSON gives it.
 */
public final class Parameters {
    private Parameters() {}

    public static String fill(String sql, Map<String, Object> values) {
        var filled = new StringBuilder();
        int copied = 0;
        for (Token token : Tokenizer.tokens(sql)) {
            if (token.kind() != Kind.PARAMETER) {
                continue;
            }
            if (!values.containsKey(token.text())) {
                throw new SqlException(
                        "42P02",
                        "parameter $" + token.text() + " has no value",
                        "Give it in \"params\"; given are: " + String.join(", ", values.keySet()));
            }
            filled.append(sql, copied, token.start()).append(literal(values.get(token.text())));
            copied = token.end();
        }
        return copied == 0 ? sql : filled.append(sql, copied, sql.length()).toString();
    }

    private static String literal(Object value) {
        return switch (value) {
            case null -> "NULL";
            case Boolean flag -> flag.toString();
            case BigDecimal number -> "(" + number.toPlainString() + ")";
            case Double number -> "(" + number + "::DOUBLE)";
            case Number number -> "(" + number + ")";
            case List<?> list -> list.stream().map(Parameters::literal).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(e -> text(e.getKey().toString()) + ": " + literal(e.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> text(value.toString());
        };
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
