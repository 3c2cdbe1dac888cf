package io.weir.rest;

import io.weir.coordinator.AnsweredRequests;
import io.weir.coordinator.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * The {@code Idempotency-Key} of the protocol: a change that is sent again under its key is answered as the first time
 * and not done again. Answers of 2xx and 4xx are final, those of 5xx never are.
 */
final class Idempotency {
    static final String HEADER = "Idempotency-Key";

    private static final String UNPROCESSABLE = "UnprocessableEntityException";

    private Idempotency() {}

    /** The request's key; empty where it has none. */
    static Optional<IdempotencyKey> key(Call call, Duration lifetime) {
        return call.header(HEADER)
                .map(text -> new IdempotencyKey(
                        checked(text), fingerprint(call), Instant.now().plus(lifetime)));
    }

    private static String checked(String text) {
        try {
            return UUID.fromString(text.trim()).toString();
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("%s must be a UUID, not \"%s\"", HEADER, text);
        }
    }

    /** Of what the request asks for; who asks, and with which headers, may differ. */
    private static String fingerprint(Call call) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(call.line().getBytes(StandardCharsets.UTF_8));
            digest.update(call.bytes());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A key stands for one request. */
    static void requireSame(IdempotencyKey key, AnsweredRequests.Answered before) {
        if (!before.key().fingerprint().equals(key.fingerprint())) {
            throw new HttpProblem(
                    422,
                    UNPROCESSABLE,
                    HEADER + " " + key.key() + " was used for another request: use a new key for each request");
        }
    }

    /** Whether an answer is the last word on a request. Who may ask, and how often, can change. */
    static boolean isFinal(int status) {
        return status >= 400 && status < 500 && status != 401 && status != 403 && status != 408 && status != 429;
    }
}
