package io.weir.incremental.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;

/**
 * DuckDB's syntax tree of one SELECT, as JSON. {@link #statement()} may be changed in place; {@link #print} makes it
 * text again.
 */
public final class SyntaxTree {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectNode whole;

    private SyntaxTree(ObjectNode whole) {
        this.whole = whole;
    }

    /** Parses text that must be exactly one SELECT; nothing is looked up or run. */
    public static SyntaxTree parse(EngineSession session, String sql) {
        ObjectNode whole = read(session, "SELECT json_serialize_sql(CAST(? AS VARCHAR))", sql);
        if (whole.path("error").asBoolean()) {
            throw refused(whole);
        }
        int statements = whole.path("statements").size();
        if (statements != 1) {
            throw new EngineException(
                    SqlState.SYNTAX_ERROR, "one SELECT is wanted here, not " + statements + " statements", "");
        }
        return new SyntaxTree((ObjectNode) DistinctComparisons.guarded(whole));
    }

    private static EngineException refused(ObjectNode whole) {
        String message = whole.path("error_message").asText();
        if (whole.path("error_type").asText().equals("not implemented")) {
            return new EngineException(
                    SqlState.SYNTAX_ERROR,
                    "only a SELECT can stand here: " + message,
                    "write it as a SELECT; PIVOT takes its values as IN (…)");
        }
        String position = whole.path("position").asText("");
        return new EngineException(
                SqlState.SYNTAX_ERROR, message + (position.isEmpty() ? "" : " (at character " + position + ")"), "");
    }

    /** The statement: {@code node} is its query, {@code named_param_map} its parameters. */
    public ObjectNode statement() {
        return (ObjectNode) whole.path("statements").path(0);
    }

    /** The query: a SELECT_NODE, a SET_OPERATION_NODE or a RECURSIVE_CTE_NODE. */
    public ObjectNode query() {
        return (ObjectNode) statement().path("node");
    }

    /** The statement as text, without a semicolon. */
    public String print(EngineSession session) {
        try (Rows printed = session.query("SELECT json_deserialize_sql(CAST(? AS JSON))", whole.toString())) {
            printed.next();
            String sql = (String) printed.value(0);
            return sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql;
        }
    }

    /** A copy that changes do not reach. */
    public SyntaxTree copy() {
        return new SyntaxTree(whole.deepCopy());
    }

    private static ObjectNode read(EngineSession session, String function, String sql) {
        try (Rows parsed = session.query(function, sql)) {
            parsed.next();
            return (ObjectNode) JSON.readTree((String) parsed.value(0));
        } catch (StreamConstraintsException e) {
            throw new EngineException(
                    SqlState.SYNTAX_ERROR, "the statement is nested too deeply", "write it with fewer parentheses", e);
        } catch (JsonProcessingException e) {
            throw new EngineException(SqlState.INTERNAL_ERROR, "the syntax tree is not JSON: " + e.getMessage(), "", e);
        }
    }

    static ArrayNode array(JsonNode parent, String field) {
        return (ArrayNode) parent.path(field);
    }
}
