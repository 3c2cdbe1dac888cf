package io.weir.store;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How to reach an S3-compatible store. Where the store is not Amazon's, name its endpoint; without credentials the
 * SDK's default chain is asked (environment, profile, container, instance).
 *
 * @param endpoint the store's address, empty for Amazon's of the region
 * @param region signs requests; stores of one region take any
 * @param credentials static ones, empty for the default chain
 * @param pathStyle the bucket in the path and not in the host name: what most stores but Amazon's need
 * @param connectTimeout for the connection alone
 * @param callTimeout for one attempt of a call, answer included; a conditional write that takes longer is Unknown
 * @param maxConnections open at once
 */
public record S3Config(
        Optional<URI> endpoint,
        String region,
        Optional<Credentials> credentials,
        boolean pathStyle,
        Duration connectTimeout,
        Duration callTimeout,
        int maxConnections) {
    private static final String DEFAULT_REGION = "us-east-1";

    /** Static credentials; the token is for temporary ones. Never printed. */
    public record Credentials(String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
        public Credentials {
            Objects.requireNonNull(accessKeyId, "accessKeyId");
            Objects.requireNonNull(secretAccessKey, "secretAccessKey");
            Objects.requireNonNull(sessionToken, "sessionToken");
        }

        @Override
        public String toString() {
            return "Credentials[" + accessKeyId + "]";
        }
    }

    public S3Config {
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(region, "region");
        Objects.requireNonNull(credentials, "credentials");
        if (connectTimeout.isNegative()
                || connectTimeout.isZero()
                || callTimeout.isNegative()
                || callTimeout.isZero()) {
            throw StoreException.setting(
                    "the time-outs of S3 are not positive: " + connectTimeout + ", " + callTimeout,
                    "set them above zero");
        }
        if (maxConnections < 1) {
            throw StoreException.setting(
                    "the connections to S3 are fewer than one: " + maxConnections, "set at least one");
        }
    }

    /** Amazon's S3 with the default chain of credentials. */
    public static S3Config defaults() {
        return fromProperties(Map.of());
    }

    /**
     * Reads the property names Iceberg's S3FileIO has: {@code s3.endpoint}, {@code client.region},
     * {@code s3.access-key-id}, {@code s3.secret-access-key}, {@code s3.session-token},
     * {@code s3.path-style-access}. With an endpoint, path style is the default. Other names are left alone.
     */
    public static S3Config fromProperties(Map<String, String> properties) {
        Optional<URI> endpoint =
                Optional.ofNullable(properties.get("s3.endpoint")).map(S3Config::endpointUri);
        String accessKeyId = properties.get("s3.access-key-id");
        String secretAccessKey = properties.get("s3.secret-access-key");
        if ((accessKeyId == null) != (secretAccessKey == null)) {
            throw StoreException.setting(
                    "only one of s3.access-key-id and s3.secret-access-key is set",
                    "set both, or neither to use the environment's credentials");
        }
        return new S3Config(
                endpoint,
                properties.getOrDefault("client.region", DEFAULT_REGION),
                Optional.ofNullable(accessKeyId)
                        .map(id -> new Credentials(
                                id, secretAccessKey, Optional.ofNullable(properties.get("s3.session-token")))),
                Optional.ofNullable(properties.get("s3.path-style-access"))
                        .map(Boolean::parseBoolean)
                        .orElse(endpoint.isPresent()),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                128);
    }

    public S3Config withCallTimeout(Duration timeout) {
        return new S3Config(endpoint, region, credentials, pathStyle, connectTimeout, timeout, maxConnections);
    }

    /** The same under Iceberg's names, credentials included: for engines one trusts with them. */
    public Map<String, String> toProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        endpoint.ifPresent(uri -> properties.put("s3.endpoint", uri.toString()));
        properties.put("client.region", region);
        properties.put("s3.path-style-access", Boolean.toString(pathStyle));
        credentials.ifPresent(known -> {
            properties.put("s3.access-key-id", known.accessKeyId());
            properties.put("s3.secret-access-key", known.secretAccessKey());
            known.sessionToken().ifPresent(token -> properties.put("s3.session-token", token));
        });
        return properties;
    }

    private static URI endpointUri(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getScheme() != null && uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw StoreException.failed(
                    StoreException.INVALID_SETTING,
                    "s3.endpoint is not a URI: '" + text + "'",
                    "write http://host:port",
                    e);
        }
        throw StoreException.setting("s3.endpoint has no scheme or host: '" + text + "'", "write http://host:port");
    }
}
