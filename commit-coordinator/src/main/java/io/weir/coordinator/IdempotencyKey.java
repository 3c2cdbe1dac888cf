package io.weir.coordinator;

import java.time.Instant;

/**
 * A caller's name for one request, under which it may send it again without having it done twice.
 *
 * @param fingerprint tells whether two requests of one key are the same request
 * @param keptUntil how long the lake must know the answer
 */
public record IdempotencyKey(String key, String fingerprint, Instant keptUntil) {}
