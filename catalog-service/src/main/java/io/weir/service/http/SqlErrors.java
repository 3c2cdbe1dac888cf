package io.weir.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.http.Context;
import io.weir.coordinator.RequestRejectedException;
import io.weir.incremental.EngineException;
import io.weir.incremental.view.ViewException;
import io.weir.service.sql.SqlException;
import io.weir.service.statement.MissingFiles;
import io.weir.service.statement.StatementService;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.exceptions.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every error outside {@code /v1}: {@code {"error": {"code", "message", "hint"}}} under the HTTP status that fits. */
final class SqlErrors {
    private static final Logger LOG = LoggerFactory.getLogger(SqlErrors.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private SqlErrors() {}

    /** What went wrong, as the caller is told. Anything not expected is logged and told without its details. */
    static SqlException of(Exception exception) {
        return switch (exception) {
            case SqlException e -> e;
            case EngineException e -> new SqlException(e.code(), e.getMessage(), e.hint(), e);
            case ViewException e -> new SqlException(e.code(), e.getMessage(), e.hint(), e);
            case RequestRejectedException e -> StatementService.error(e);
            case NotFoundException e -> MissingFiles.met(e);
            default -> {
                LOG.error("a request failed in a way nobody expected", exception);
                yield new SqlException(
                        "XX000", "the server failed: " + exception, "The server's log has the details.", exception);
            }
        };
    }

    static void answer(Context context, SqlException error) {
        if (status(error.code()) == 503) {
            context.header("Retry-After", "1");
        }
        answer(
                context,
                status(error.code()),
                error.code(),
                error.getMessage(),
                error.hint().orElse(null));
    }

    static void answer(Context context, int status, String code, String message, String hint) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("code", code);
        fields.put("message", message);
        if (hint != null) {
            fields.put("hint", hint);
        }
        try {
            context.status(status)
                    .contentType("application/json")
                    .result(JSON.writeValueAsString(Map.of("error", fields)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static int status(String code) {
        return switch (code) {
            case "28000" -> 401;
            case "42P01", "3F000" -> 404;
            case "42501", "25006" -> 403;
            case "42P06", "42P07", "23505", "40001", "2BP01" -> 409;
            case "57014" -> 408;
            case "53000" -> 503;
            case "53200" -> 507;
            case MissingFiles.CODE -> 410;
            case "54000" -> 413;
            case "0A000" -> 501;
            case "08007" -> 504;
            case "58030", "XX000", "XX001" -> 500;
            default -> 400;
        };
    }
}
