package io.weir.store;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How clients are given credentials of their own.
 *
 * @param roleArn whose rights they have at most; each is narrowed to one table
 * @param endpoint of the token service; empty for Amazon's
 * @param duration how long they are good
 */
public record StsConfig(String roleArn, Optional<URI> endpoint, Duration duration) {
    private static final Duration SHORTEST = Duration.ofMinutes(15);
    private static final Duration LONGEST = Duration.ofHours(12);

    public StsConfig {
        Objects.requireNonNull(endpoint, "endpoint");
        if (roleArn.isBlank()) {
            throw StoreException.setting(
                    "the role that clients' credentials are made from is empty", "name the ARN of a role");
        }
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw StoreException.setting(
                    "clients' credentials can not be good for " + duration
                            + ": token services give them for 15 minutes to" + " 12 hours",
                    "choose a time between");
        }
    }
}
