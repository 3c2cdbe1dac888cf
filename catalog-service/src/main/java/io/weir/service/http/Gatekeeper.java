package io.weir.service.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.weir.rest.RestCatalog;
import io.weir.service.auth.Authentication;
import io.weir.service.auth.Principal;
import io.weir.service.sql.SqlException;
import java.util.Set;

/**
 * Lets no request by that does not say who makes it, except to the few places open to everyone. Whether the caller's role
 * is enough is asked where it is known what a request does: routes look at {@link RestCatalog#READ_ONLY}.
 */
final class Gatekeeper {
    private static final Set<String> OPEN = Set.of("/health/live", "/health/ready", TokenEndpoint.PATH);

    private final Authentication authentication;

    Gatekeeper(Authentication authentication) {
        this.authentication = authentication;
    }

    void register(RoutesConfig routes) {
        routes.before(this::check);
        routes.exception(NotAuthenticatedException.class, Gatekeeper::refuse);
    }

    private void check(Context context) {
        if (OPEN.contains(context.path())) {
            return;
        }
        String token = AuthorizationHeader.value(context, "Bearer")
                .orElseThrow(() -> new NotAuthenticatedException("this server wants a bearer token", "Bearer"));
        Principal principal = authentication
                .bearer(token)
                .orElseThrow(() -> new NotAuthenticatedException(
                        "the bearer token is unknown or has expired", "Bearer error=\"invalid_token\""))
                .principal();
        context.attribute(RestCatalog.PRINCIPAL, principal.name());
        context.attribute(RestCatalog.READ_ONLY, !principal.role().mayWrite());
    }

    private static void refuse(NotAuthenticatedException refusal, Context context) {
        context.header("WWW-Authenticate", refusal.challenge);
        if (context.path().equals("/v1") || context.path().startsWith("/v1/")) {
            RestCatalog.refuse(context, 401, "NotAuthorizedException", refusal.getMessage());
        } else {
            SqlErrors.answer(
                    context,
                    new SqlException(
                            "28000",
                            refusal.getMessage(),
                            "Send Authorization: Bearer TOKEN; ./weir sql takes --token or WEIR_TOKEN."));
        }
    }

    /** Nobody known makes the request. An exception, so that what comes after a request's answer still does. */
    private static final class NotAuthenticatedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String challenge;

        NotAuthenticatedException(String message, String challenge) {
            super(message, null, false, false);
            this.challenge = challenge;
        }
    }
}
