package io.weir.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.weir.service.auth.Authentication;
import io.weir.service.auth.Credential;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /v1/oauth/tokens}: gives clients their tokens by the grants that Iceberg's clients use, client credentials
 * (RFC 6749, 4.4) and token exchange (RFC 8693), by which they renew a token before it ends. A scope is taken and changes
 * nothing: what a client may do is its role. Errors have OAuth's form, not Iceberg's.
 */
final class TokenEndpoint {
    static final String PATH = "/v1/oauth/tokens";

    private static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Authentication authentication;

    TokenEndpoint(Authentication authentication) {
        this.authentication = authentication;
    }

    void register(RoutesConfig routes) {
        routes.post(PATH, this::answer);
    }

    private void answer(Context context) {
        context.header("Cache-Control", "no-store");
        Map<String, Object> fields = new LinkedHashMap<>();
        try {
            Credential holder = granted(Form.of(context), context);
            fields.put("access_token", authentication.issue(holder));
            fields.put("token_type", "bearer");
            fields.put("issued_token_type", ACCESS_TOKEN);
            fields.put("expires_in", authentication.lifetime().toSeconds());
        } catch (OAuthException e) {
            if (e.status == 401) {
                context.header("WWW-Authenticate", "Basic realm=\"weir\"");
            }
            context.status(e.status);
            fields.put("error", e.error);
            fields.put("error_description", e.getMessage());
        }
        try {
            context.contentType("application/json").result(JSON.writeValueAsString(fields));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private Credential granted(Form form, Context context) {
        String grant = form.value("grant_type")
                .orElseThrow(() -> new OAuthException(400, "invalid_request", "grant_type is missing"));
        return switch (grant) {
            case "client_credentials" ->
                client(form, context)
                        .orElseThrow(() -> new OAuthException(
                                401, "invalid_client", "client_id and client_secret, or Basic, are missing"));
            case TOKEN_EXCHANGE -> exchanged(form, context);
            default ->
                throw new OAuthException(
                        400, "unsupported_grant_type", "there are client_credentials and " + TOKEN_EXCHANGE);
        };
    }

    /** A client that proves who it is gets a token for itself also where the one it had is good no more. */
    private Credential exchanged(Form form, Context context) {
        String subject = form.value("subject_token")
                .orElseThrow(() -> new OAuthException(400, "invalid_request", "subject_token is missing"));
        Optional<Credential> client = client(form, context);
        return authentication
                .bearer(subject)
                .or(() -> client)
                .orElseThrow(
                        () -> new OAuthException(400, "invalid_request", "subject_token is unknown or has expired"));
    }

    /** Empty where the request does not say which client it is from. */
    private Optional<Credential> client(Form form, Context context) {
        Optional<String> basic = AuthorizationHeader.value(context, "Basic");
        if (basic.isPresent()) {
            return Optional.of(known(basicClient(basic.get())));
        }
        Optional<String> secret = form.value("client_secret");
        return secret.map(
                given -> known(authentication.client(form.value("client_id").orElse(""), given)));
    }

    /** RFC 6749 wants id and secret form-encoded in the header, and Iceberg's clients send them as they are. */
    private Optional<Credential> basicClient(String basic) {
        String text;
        try {
            text = new String(Base64.getDecoder().decode(basic), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String[] parts = text.split(":", 2);
        if (parts.length < 2) {
            return Optional.empty();
        }
        return authentication.client(parts[0], parts[1]).or(() -> {
            try {
                return authentication.client(decoded(parts[0]), decoded(parts[1]));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        });
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Credential known(Optional<Credential> client) {
        return client.orElseThrow(
                () -> new OAuthException(401, "invalid_client", "the client is unknown, or its secret is another"));
    }

    /** The fields of a form-encoded body. */
    private record Form(Map<String, List<String>> fields) {
        static Form of(Context context) {
            try {
                return new Form(context.formParamMap());
            } catch (IllegalArgumentException e) {
                throw new OAuthException(400, "invalid_request", "the body is not form-encoded");
            }
        }

        /** Empty where it is missing or has no value, which is the same to OAuth. */
        Optional<String> value(String name) {
            List<String> values = fields.getOrDefault(name, List.of());
            if (values.size() > 1) {
                throw new OAuthException(400, "invalid_request", name + " is given twice");
            }
            return values.stream().filter(value -> !value.isEmpty()).findFirst();
        }
    }

    private static final class OAuthException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final String error;

        OAuthException(int status, String error, String description) {
            super(description);
            this.status = status;
            this.error = error;
        }
    }
}
