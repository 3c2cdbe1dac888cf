package io.weir.service.http;

import io.javalin.http.Context;
import java.util.Optional;

/** {@code Authorization: SCHEME VALUE}. */
final class AuthorizationHeader {
    private AuthorizationHeader() {}

    /** The value, if the header is there and of this scheme, whose case does not matter. */
    static Optional<String> value(Context context, String scheme) {
        return Optional.ofNullable(context.header("Authorization"))
                .map(header -> header.strip().split(" +", 2))
                .filter(parts -> parts.length == 2 && parts[0].equalsIgnoreCase(scheme))
                .map(parts -> parts[1]);
    }
}
