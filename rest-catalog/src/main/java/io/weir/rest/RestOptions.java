package io.weir.rest;

import io.weir.coordinator.Lake;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * How the catalog is served.
 *
 * @param defaultLake the lake of a client that names no warehouse
 * @param defaultFormatVersion of tables whose creator names none
 * @param clientConfig what a client needs to reach a lake's files (endpoint, path style, region); never credentials
 * @param maxRequestBytes the largest request body that is read
 * @param idempotencyKeyLifetime how long a change sent again under its key is answered as the first time
 * @param metrics where clients' reports go
 * @param tableDefaults properties of the tables made in a lake
 */
public record RestOptions(
        String defaultLake,
        int defaultFormatVersion,
        Function<Lake, Map<String, String>> clientConfig,
        int maxRequestBytes,
        Duration idempotencyKeyLifetime,
        MetricsReports metrics,
        Function<Lake, TableDefaults> tableDefaults) {
    public static final Duration DEFAULT_IDEMPOTENCY_KEY_LIFETIME = Duration.ofMinutes(30);
    public static final int DEFAULT_FORMAT_VERSION = 2;
    public static final int DEFAULT_MAX_REQUEST_BYTES = 64 << 20;

    public RestOptions {
        if (defaultFormatVersion < 1 || defaultFormatVersion > NewTable.NEWEST_FORMAT_VERSION) {
            throw new IllegalArgumentException("Default format version " + defaultFormatVersion + " is not one of 1 to "
                    + NewTable.NEWEST_FORMAT_VERSION);
        }
    }

    public static RestOptions of(String defaultLake) {
        return new RestOptions(
                defaultLake,
                DEFAULT_FORMAT_VERSION,
                lake -> Map.of(),
                DEFAULT_MAX_REQUEST_BYTES,
                DEFAULT_IDEMPOTENCY_KEY_LIFETIME,
                new MetricsReports(),
                lake -> TableDefaults.NONE);
    }

    public RestOptions withClientConfig(Function<Lake, Map<String, String>> newClientConfig) {
        return new RestOptions(
                defaultLake,
                defaultFormatVersion,
                newClientConfig,
                maxRequestBytes,
                idempotencyKeyLifetime,
                metrics,
                tableDefaults);
    }

    public RestOptions withDefaultFormatVersion(int version) {
        return new RestOptions(
                defaultLake, version, clientConfig, maxRequestBytes, idempotencyKeyLifetime, metrics, tableDefaults);
    }

    public RestOptions withIdempotencyKeyLifetime(Duration lifetime) {
        return new RestOptions(
                defaultLake, defaultFormatVersion, clientConfig, maxRequestBytes, lifetime, metrics, tableDefaults);
    }

    public RestOptions withMetrics(MetricsReports reports) {
        return new RestOptions(
                defaultLake,
                defaultFormatVersion,
                clientConfig,
                maxRequestBytes,
                idempotencyKeyLifetime,
                reports,
                tableDefaults);
    }

    public RestOptions withTableDefaults(Function<Lake, TableDefaults> newTableDefaults) {
        return new RestOptions(
                defaultLake,
                defaultFormatVersion,
                clientConfig,
                maxRequestBytes,
                idempotencyKeyLifetime,
                metrics,
                newTableDefaults);
    }
}
