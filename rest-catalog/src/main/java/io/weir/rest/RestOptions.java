package io.weir.rest;

import io.weir.coordinator.Lake;
import io.weir.store.TableCredentials;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
 * @param labels what the catalog says about everything in a lake
 * @param credentials what makes credentials for clients in a lake; empty where there are none
 * @param vendsCredentials whether there are in any
 * @param namespaceSeparator what stands between the levels of a namespace in paths, beside the unit separator
 */
public record RestOptions(
        String defaultLake,
        int defaultFormatVersion,
        Function<Lake, Map<String, String>> clientConfig,
        int maxRequestBytes,
        Duration idempotencyKeyLifetime,
        MetricsReports metrics,
        Function<Lake, TableDefaults> tableDefaults,
        Function<Lake, Map<String, String>> labels,
        Function<Lake, Optional<TableCredentials>> credentials,
        boolean vendsCredentials,
        NamespaceSeparator namespaceSeparator) {
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
                lake -> TableDefaults.NONE,
                lake -> Map.of(),
                lake -> Optional.empty(),
                false,
                NamespaceSeparator.UNIT);
    }

    public RestOptions withClientConfig(Function<Lake, Map<String, String>> newClientConfig) {
        return with(next -> next.clientConfig = newClientConfig);
    }

    public RestOptions withDefaultFormatVersion(int version) {
        return with(next -> next.defaultFormatVersion = version);
    }

    public RestOptions withIdempotencyKeyLifetime(Duration lifetime) {
        return with(next -> next.idempotencyKeyLifetime = lifetime);
    }

    public RestOptions withMetrics(MetricsReports reports) {
        return with(next -> next.metrics = reports);
    }

    public RestOptions withTableDefaults(Function<Lake, TableDefaults> newTableDefaults) {
        return with(next -> next.tableDefaults = newTableDefaults);
    }

    public RestOptions withLabels(Function<Lake, Map<String, String>> newLabels) {
        return with(next -> next.labels = newLabels);
    }

    /** Gives clients credentials of their own, with an endpoint that renews them. */
    public RestOptions withCredentials(Function<Lake, Optional<TableCredentials>> newCredentials) {
        return with(next -> {
            next.credentials = newCredentials;
            next.vendsCredentials = true;
        });
    }

    public RestOptions withNamespaceSeparator(NamespaceSeparator separator) {
        return with(next -> next.namespaceSeparator = separator);
    }

    private RestOptions with(Consumer<Next> change) {
        Next next = new Next(this);
        change.accept(next);
        return new RestOptions(
                defaultLake,
                next.defaultFormatVersion,
                next.clientConfig,
                maxRequestBytes,
                next.idempotencyKeyLifetime,
                next.metrics,
                next.tableDefaults,
                next.labels,
                next.credentials,
                next.vendsCredentials,
                next.namespaceSeparator);
    }

    /** Options that are being made from others. */
    private static final class Next {
        private int defaultFormatVersion;
        private Function<Lake, Map<String, String>> clientConfig;
        private Duration idempotencyKeyLifetime;
        private MetricsReports metrics;
        private Function<Lake, TableDefaults> tableDefaults;
        private Function<Lake, Map<String, String>> labels;
        private Function<Lake, Optional<TableCredentials>> credentials;
        private boolean vendsCredentials;
        private NamespaceSeparator namespaceSeparator;

        Next(RestOptions options) {
            this.defaultFormatVersion = options.defaultFormatVersion;
            this.clientConfig = options.clientConfig;
            this.idempotencyKeyLifetime = options.idempotencyKeyLifetime;
            this.metrics = options.metrics;
            this.tableDefaults = options.tableDefaults;
            this.labels = options.labels;
            this.credentials = options.credentials;
            this.vendsCredentials = options.vendsCredentials;
            this.namespaceSeparator = options.namespaceSeparator;
        }
    }
}
