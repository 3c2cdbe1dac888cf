package io.weir.incremental.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.weir.incremental.SqlState;
import io.weir.incremental.engine.DistinctComparisons;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * SQL to the engine's own syntax tree and back. What is printed is parsed again and compared, so that a printed text
 * computes what was read, or there is an error.
 */
final class Syntax {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final EngineSession session;

    Syntax(EngineSession session) {
        this.session = session;
    }

    /** The tree of the one SELECT that {@code sql} is. */
    JsonNode parse(String sql) {
        JsonNode parsed = read(one("SELECT CAST(json_serialize_sql(CAST(? AS VARCHAR)) AS VARCHAR)", sql));
        if (parsed.path("error").asBoolean()) {
            String message = parsed.path("error_message").asText();
            throw parsed.path("error_type").asText().equals("parser")
                    ? new ViewException(SqlState.SYNTAX_ERROR, message, "")
                    : ViewException.unsupported("a statement other than a plain SELECT");
        }
        JsonNode statements = parsed.path("statements");
        if (statements.size() != 1) {
            throw new ViewException(SqlState.SYNTAX_ERROR, "a view is one SELECT, not " + statements.size(), "");
        }
        return DistinctComparisons.guarded(Ast.withoutPlaces(statements.get(0).path("node")));
    }

    /** The tree of one expression, which refers to nothing but columns. */
    JsonNode parseExpression(String text) {
        JsonNode select = parse("SELECT (" + text + "\n)");
        boolean plain = select.path("select_list").size() == 1
                && select.path("from_table").path("type").asText().equals("EMPTY")
                && select.path("modifiers").isEmpty();
        if (!plain) {
            throw new ViewException(SqlState.SYNTAX_ERROR, "\"" + text + "\" is not one expression", "");
        }
        return select.path("select_list").get(0);
    }

    /** Each expression as SQL. */
    List<String> print(List<JsonNode> expressions) {
        if (expressions.isEmpty()) {
            return List.of();
        }
        JsonNode template = parse("SELECT 1");
        List<JsonNode> statements = expressions.stream()
                .map(expression -> Ast.with(template, "select_list", Ast.array(List.of(Ast.unnamed(expression)))))
                .toList();
        List<String> printed = new ArrayList<>();
        for (String statement : printStatements(statements)) {
            String text = statement.substring("SELECT ".length());
            boolean plain = Ast.isClass(expressions.get(printed.size()), "COLUMN_REF");
            printed.add(plain ? text : "(" + text + ")");
        }
        return printed;
    }

    String printStatement(JsonNode select) {
        return printStatements(List.of(select)).getFirst();
    }

    private List<String> printStatements(List<JsonNode> selects) {
        String sql = String.join(
                ", ", Collections.nCopies(selects.size(), "CAST(json_deserialize_sql(CAST(? AS JSON)) AS VARCHAR)"));
        Object[] trees = selects.stream().map(Syntax::whole).toArray();
        List<String> printed = new ArrayList<>();
        try (Rows rows = session.query("SELECT " + sql, trees)) {
            rows.next();
            for (int i = 0; i < selects.size(); i++) {
                printed.add((String) rows.value(i));
            }
        }
        for (int i = 0; i < selects.size(); i++) {
            if (!parse(printed.get(i)).equals(selects.get(i))) {
                throw new ViewException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "the engine does not print \"" + printed.get(i) + "\" as it read it",
                        "write the expression in another way");
            }
        }
        return printed;
    }

    private static String whole(JsonNode select) {
        return "{\"error\":false,\"statements\":[{\"node\":" + select + ",\"named_param_map\":[]}]}";
    }

    private String one(String sql, Object parameter) {
        try (Rows rows = session.query(sql, parameter)) {
            rows.next();
            return (String) rows.value(0);
        }
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new ViewException(
                    SqlState.INTERNAL_ERROR, "the engine's syntax tree cannot be read: " + e.getMessage(), "", e);
        }
    }
}
