package io.weir.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.http.Context;
import io.weir.coordinator.Caller;
import io.weir.coordinator.Version;
import io.weir.rest.RestCatalog;
import io.weir.service.ServedLakes;
import io.weir.service.sql.SqlException;
import io.weir.service.statement.SqlRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** {@code POST /sql}: {@code {"sql": "…", "params": {…}}}, answered as {@code ?format=} says. */
final class SqlEndpoint {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final ServedLakes lakes;

    SqlEndpoint(ServedLakes lakes) {
        this.lakes = lakes;
    }

    void answer(Context context) {
        AnswerWriter writer = null;
        try {
            AnswerFormat format = AnswerFormat.of(context.queryParam("format"));
            ServedLakes.ServedLake lake = lakes.named(context.queryParam("lake"));
            context.header(
                    RestCatalog.VERSION_HEADER, lake.lake().state().version().toString());
            writer = new AnswerWriter(context, format);
            lake.statements().run(request(context), writer);
            writer.finish();
        } catch (Exception e) {
            SqlException error = SqlErrors.of(e);
            if (writer != null && writer.hasBegun()) {
                throw new AnswerCutOffException(error);
            }
            SqlErrors.answer(context, error);
        }
    }

    private static SqlRequest request(Context context) {
        JsonNode body;
        try {
            body = JSON.readTree(context.bodyAsBytes());
        } catch (JsonProcessingException e) {
            throw malformed("the request is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw malformed("the request cannot be read: " + e.getMessage());
        }
        if (body == null || !body.isObject() || !body.path("sql").isTextual()) {
            throw malformed("the request has no text \"sql\"");
        }
        body.fieldNames().forEachRemaining(name -> {
            if (!name.equals("sql") && !name.equals("params")) {
                throw malformed("the request has an unknown field \"" + name + "\"");
            }
        });
        JsonNode params = body.path("params");
        if (!params.isMissingNode() && !params.isNull() && !params.isObject()) {
            throw malformed("\"params\" is not an object");
        }
        Map<String, Object> values = params.isObject()
                ? JSON.convertValue(
                        params, JSON.getTypeFactory().constructMapType(HashMap.class, String.class, Object.class))
                : Map.of();
        return new SqlRequest(
                body.path("sql").asText(),
                values,
                version(context.queryParam("at")),
                caller(context),
                Boolean.TRUE.equals(context.<Boolean>attribute(RestCatalog.READ_ONLY)));
    }

    private static SqlException malformed(String what) {
        return new SqlException("22023", what, "Send {\"sql\": \"SELECT ...\", \"params\": {\"name\": value}}.");
    }

    private static Optional<Version> version(String at) {
        if (at == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Version(Long.parseLong(at)));
        } catch (IllegalArgumentException e) {
            throw new SqlException("22023", "?at=" + at + " is not a version", "A version is a whole number.", e);
        }
    }

    private static Caller caller(Context context) {
        String principal = context.attribute(RestCatalog.PRINCIPAL);
        return new Caller(principal == null ? "anonymous" : principal, "weir");
    }
}
