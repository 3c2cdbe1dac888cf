package io.weir.coordinator;

import java.time.Instant;

/**
 * A server that led the lake, from its first entry until that of the next one.
 *
 * @param version of its first entry
 * @param node as it named itself
 */
public record Leadership(long version, long epoch, String node, Instant since) {}
