package io.weir.rest;

import io.javalin.config.JettyConfig;
import java.util.Objects;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * What is answered to a request that the HTTP server itself does not let through, such as one whose path has a percent
 * sign without two hexadecimal digits: the Iceberg error model like any other error of {@code /v1}, not the server's page.
 */
public final class MalformedRequests extends ErrorHandler {
    private static final HttpField JSON = new HttpField(HttpHeader.CONTENT_TYPE, "application/json");

    private MalformedRequests() {}

    /** Makes the server answer so. */
    public static void register(JettyConfig jetty) {
        MalformedRequests answers = new MalformedRequests();
        jetty.modifyServer(server -> server.setErrorHandler(answers));
        jetty.modifyServletContextHandler(context -> context.setErrorHandler(answers));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        String reason =
                reason((String) request.getAttribute(ERROR_MESSAGE), (Throwable) request.getAttribute(ERROR_EXCEPTION));
        response.getHeaders().put(JSON);
        Content.Sink.write(response, true, body(status, reason), callback);
        return true;
    }

    private static String reason(String message, Throwable failure) {
        String said = message == null && failure != null ? failure.getMessage() : message;
        return Objects.requireNonNullElse(said, "it is not HTTP as it should be");
    }

    private static String body(int status, String reason) {
        String message = status < 500
                ? "The request can not be read: " + reason
                        + ". In a path, write what is not a letter, a digit or one of -._~ as % and two hexadecimal digits"
                        + " for each of its UTF-8 bytes"
                : "The server failed: " + reason + ". Its log has the details";
        return ErrorResponseParser.toJson(ErrorResponse.builder()
                .responseCode(status)
                .withType(status < 500 ? "BadRequestException" : "InternalServerError")
                .withMessage(message)
                .build());
    }
}
