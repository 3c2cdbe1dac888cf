package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What DuckDB says, as a coded error. The driver gives no SQLSTATE, so the class of error at the start of the message
 * decides, and within a class its wording; an unknown wording gets the class's general code.
 */
final class Errors {
    private static final Pattern CLASS = Pattern.compile(
            "^(?:Invalid Input Error: Attempting to execute an unsuccessful"
                    + " or closed pending query result\\s*Error: )?(?:([A-Za-z ]+?)(?: Error| exception)?: )?(.*)$",
            Pattern.DOTALL);
    private static final Pattern POINTER = Pattern.compile("\\n\\s*LINE \\d+:.*$", Pattern.DOTALL);
    private static final Pattern SUGGESTION = Pattern.compile(
            "\\n(Did you mean[^\\n]*|Candidate bindings:[^\\n]*|Candidate functions:.*|\\tCandidate.*)$",
            Pattern.DOTALL);

    /** What {@link #raise} puts before a message. */
    private static final String MARK = "weir:";

    private Errors() {}

    /** An expression that fails the statement under a code of our own. */
    static String raise(SqlState state, String message) {
        return "error(" + Quoting.text(MARK + state.name() + ":" + message) + ")";
    }

    static EngineException translate(String said, Throwable cause) {
        Matcher parts = CLASS.matcher(said);
        String kind = "";
        String message = said;
        if (parts.matches()) {
            kind = parts.group(1) == null ? "" : parts.group(1);
            message = parts.group(2);
        }
        message = POINTER.matcher(message).replaceFirst("").strip();
        for (SqlState own : SqlState.values()) {
            String mark = MARK + own.name() + ":";
            if (message.startsWith(mark)) {
                return new EngineException(own, message.substring(mark.length()), "", cause);
            }
        }
        String hint = "";
        Matcher suggestion = SUGGESTION.matcher(message);
        if (suggestion.find()) {
            hint = suggestion.group(1).strip();
            message = message.substring(0, suggestion.start()).strip();
        }
        return new EngineException(state(kind, message), message, hint, cause);
    }

    /** Whether the instance is of no more use: every later statement would fail the same way. */
    static boolean isFatal(String said) {
        return said.startsWith("FATAL Error") || said.contains("database has been invalidated");
    }

    private static SqlState state(String kind, String message) {
        return switch (kind) {
            case "Out of Range", "OutOfRange" -> SqlState.NUMERIC_VALUE_OUT_OF_RANGE;
            case "Conversion" ->
                message.contains("out of range") || message.contains("range for") || message.contains("Overflow")
                        ? SqlState.NUMERIC_VALUE_OUT_OF_RANGE
                        : SqlState.INVALID_TEXT;
            case "Parser", "Syntax" -> SqlState.SYNTAX_ERROR;
            case "Catalog" -> catalog(message);
            case "Binder" -> binder(message);
            case "Mismatch Type" -> SqlState.DATATYPE_MISMATCH;
            case "Constraint" ->
                message.contains("NOT NULL") ? SqlState.NOT_NULL_VIOLATION : SqlState.CONSTRAINT_VIOLATION;
            case "Not implemented" -> SqlState.FEATURE_NOT_SUPPORTED;
            case "Permission" -> SqlState.INSUFFICIENT_PRIVILEGE;
            case "Out of Memory" -> SqlState.OUT_OF_MEMORY;
            case "INTERRUPT" -> SqlState.QUERY_CANCELED;
            case "IO" -> SqlState.IO_ERROR;
            case "Invalid Input", "Invalid type", "Invalid" -> SqlState.DATA_EXCEPTION;
            case "Divide by Zero" -> SqlState.DIVISION_BY_ZERO;
            case "Parameter Not Resolved", "Parameter Not Allowed" -> SqlState.INVALID_ARGUMENT;
            default -> SqlState.INTERNAL_ERROR;
        };
    }

    private static SqlState catalog(String message) {
        if (message.contains("Function with name")) {
            return SqlState.UNDEFINED_FUNCTION;
        }
        if (message.startsWith("Type with name")) {
            return SqlState.UNDEFINED_OBJECT;
        }
        return SqlState.UNDEFINED_TABLE;
    }

    private static SqlState binder(String message) {
        if (message.contains("Catalog \"") || message.contains("Referenced table")) {
            return SqlState.UNDEFINED_TABLE;
        }
        if (message.startsWith("Ambiguous")) {
            return SqlState.AMBIGUOUS_COLUMN;
        }
        if (message.contains("not found") || message.contains("does not have a column")) {
            return SqlState.UNDEFINED_COLUMN;
        }
        if (message.contains("GROUP BY")) {
            return SqlState.GROUPING_ERROR;
        }
        if (message.startsWith("No function matches")) {
            return SqlState.UNDEFINED_FUNCTION;
        }
        if (message.startsWith("Cannot compare") || message.startsWith("Cannot mix") || message.contains(" type")) {
            return SqlState.DATATYPE_MISMATCH;
        }
        return SqlState.SYNTAX_ERROR;
    }
}
