package io.weir.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Instant;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;
import software.amazon.awssdk.services.sts.model.Credentials;

/**
 * Makes credentials that are good for the files below one location and for a while, by {@code AssumeRole} with a session
 * policy. The rights are those of the role and of the policy both: what the policy does not name is refused, whatever the
 * role may do. They are kept and given again for the first half of their time, so that a load does not wait for the
 * token service each time. Thread-safe.
 */
public final class TableCredentials implements AutoCloseable {
    private static final int KEPT = 10_000;
    private static final int LONGEST_SESSION_NAME = 64;
    private static final Pattern UNFIT_IN_SESSION_NAME = Pattern.compile("[^A-Za-z0-9_=,.@-]");

    private final StsClient sts;
    private final StsConfig config;
    private final Cache<Asked, Given> given;

    private record Asked(String location, boolean write, String principal) {}

    /** Credentials for the files below a location. Never printed. */
    public record Given(String accessKeyId, String secretAccessKey, String sessionToken, Instant expiresAt) {
        @Override
        public String toString() {
            return "Given[" + accessKeyId + " until " + expiresAt + "]";
        }
    }

    private TableCredentials(StsClient sts, StsConfig config) {
        this.sts = sts;
        this.config = config;
        this.given = Caffeine.newBuilder()
                .maximumSize(KEPT)
                .expireAfterWrite(config.duration().dividedBy(2))
                .build();
    }

    /** Opens the way to the token service, with the server's own credentials for S3. */
    public static TableCredentials open(S3Config s3, StsConfig config) {
        StsClientBuilder builder = StsClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder()
                        .connectionTimeout(s3.connectTimeout())
                        .socketTimeout(s3.callTimeout()))
                .region(Region.of(s3.region()))
                .credentialsProvider(S3Clients.credentials(s3));
        config.endpoint().ifPresent(builder::endpointOverride);
        return new TableCredentials(builder.build(), config);
    }

    /** Whether the location can be named in a policy: one with wildcards in it would stand for others too. */
    public static boolean canName(String location) {
        return location.matches("s3[an]?://[^/*?$\"\\\\]+/[^*?$\"\\\\\\p{Cntrl}]+");
    }

    /**
     * Credentials for the files below the location.
     *
     * @param location {@code s3://bucket/key}, one that can be named
     * @param write whether files may be written and deleted there too
     * @param principal whose they are, for the store's own log of requests
     * @throws StoreException where the token service does not give any
     */
    public Given below(String location, boolean write, String principal) {
        if (!canName(location)) {
            throw new IllegalArgumentException("no policy can name " + location);
        }
        return given.get(new Asked(location, write, principal), this::ask);
    }

    private Given ask(Asked asked) {
        AssumeRoleRequest request = AssumeRoleRequest.builder()
                .roleArn(config.roleArn())
                .roleSessionName(sessionName(asked.principal))
                .durationSeconds(Math.toIntExact(config.duration().toSeconds()))
                .policy(SessionPolicy.below(asked.location, asked.write))
                .build();
        try {
            Credentials got = sts.assumeRole(request).credentials();
            return new Given(got.accessKeyId(), got.secretAccessKey(), got.sessionToken(), got.expiration());
        } catch (SdkException e) {
            throw StoreException.failed(
                    StoreException.NO_PRIVILEGE,
                    "the token service gives no credentials for role " + config.roleArn() + ": " + e.getMessage(),
                    "check the role, and that the server may assume it",
                    e);
        }
    }

    private static String sessionName(String principal) {
        String name = "weir-" + UNFIT_IN_SESSION_NAME.matcher(principal).replaceAll("-");
        return name.substring(0, Math.min(name.length(), LONGEST_SESSION_NAME));
    }

    @Override
    public void close() {
        sts.close();
    }
}
