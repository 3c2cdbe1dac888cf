package io.weir.rest;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.coordinator.UnknownFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.rest.RESTRequest;
import org.apache.iceberg.rest.RESTResponse;
import org.apache.iceberg.rest.RESTSerializers;

/**
 * JSON as Iceberg's own client reads and writes it. What can not be read is the caller's fault and says where; unknown
 * fields are passed over, as the protocol wants, except where {@link TableChange} says.
 */
final class Json {
    private static final ObjectMapper MAPPER = mapper();
    private static final ObjectReader WHOLE_BODY = MAPPER.reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper(new JsonFactoryBuilder()
                .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
                .configure(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW, false)
                .build());
        mapper.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
        mapper.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
        mapper.setPropertyNamingStrategy(new PropertyNamingStrategies.KebabCaseStrategy());
        RESTSerializers.registerAll(mapper);
        return mapper;
    }

    static String write(RESTResponse response) {
        try {
            return MAPPER.writeValueAsString(response);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The response with what Iceberg does not know of the metadata in it. */
    static String write(RESTResponse response, UnknownFields unknown) {
        String known = write(response);
        if (unknown.isEmpty()) {
            return known;
        }
        try {
            ObjectNode whole = (ObjectNode) MAPPER.readTree(known);
            unknown.restoreIn((ObjectNode) whole.required("metadata"));
            return MAPPER.writeValueAsString(whole);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode object(byte[] body) {
        JsonNode node;
        try {
            node = WHOLE_BODY.readTree(body);
        } catch (JsonProcessingException e) {
            throw HttpProblem.badRequest("The request body is not JSON: %s", message(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (node == null || !node.isObject()) {
            throw HttpProblem.badRequest("The request body must be a JSON object");
        }
        return node;
    }

    static <T extends RESTRequest> T request(JsonNode body, Class<T> type) {
        try {
            T request = MAPPER.treeToValue(body, type);
            request.validate();
            return request;
        } catch (JsonProcessingException e) {
            throw invalid(type, message(e));
        } catch (UnprocessableEntityException e) {
            throw new HttpProblem(422, "UnprocessableEntityException", e.getMessage());
        } catch (RuntimeException e) {
            throw invalid(type, String.valueOf(e.getMessage()));
        }
    }

    private static HttpProblem invalid(Class<?> type, String message) {
        return HttpProblem.badRequest("Invalid %s: %s", type.getSimpleName(), message);
    }

    /** Says what and where, without the class names and source dumps of the parser. */
    private static String message(JsonProcessingException e) {
        String what = e.getCause() == null
                ? e.getOriginalMessage()
                : String.valueOf(e.getCause().getMessage());
        return e.getLocation() == null || e.getLocation().getLineNr() <= 0
                ? what
                : what + " (line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ")";
    }
}
