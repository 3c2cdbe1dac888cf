package io.weir.store;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * The SDK's clients from one configuration. Two over one pool of connections: one that tries again, for operations
 * that may be repeated, and one that never does, for conditional writes.
 *
 * <p>Checksums are sent where the protocol requires them only: several stores refuse the newer trailing ones. Bodies are
 * sent in one piece and without asking first (100-continue), which would cost each write another round trip.
 */
record S3Clients(SdkHttpClient http, S3Client retrying, S3Client once) implements AutoCloseable {
    static S3Clients open(S3Config config) {
        SdkHttpClient http = ApacheHttpClient.builder()
                .connectionTimeout(config.connectTimeout())
                .socketTimeout(config.callTimeout())
                .maxConnections(config.maxConnections())
                .tcpKeepAlive(true)
                .build();
        return new S3Clients(
                http,
                client(config, http, AwsRetryStrategy.standardRetryStrategy()),
                client(config, http, AwsRetryStrategy.doNotRetry()));
    }

    private static S3Client client(S3Config config, SdkHttpClient http, RetryStrategy retries) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(http)
                .region(Region.of(config.region()))
                .credentialsProvider(credentials(config))
                .forcePathStyle(config.pathStyle())
                .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false).expectContinueEnabled(false))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(
                        override -> override.retryStrategy(retries).apiCallAttemptTimeout(config.callTimeout()));
        config.endpoint().ifPresent(builder::endpointOverride);
        return builder.build();
    }

    static AwsCredentialsProvider credentials(S3Config config) {
        return config.credentials()
                .<AwsCredentialsProvider>map(known -> StaticCredentialsProvider.create(aws(known)))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
    }

    private static AwsCredentials aws(S3Config.Credentials known) {
        return known.sessionToken()
                .<AwsCredentials>map(
                        token -> AwsSessionCredentials.create(known.accessKeyId(), known.secretAccessKey(), token))
                .orElseGet(() -> AwsBasicCredentials.create(known.accessKeyId(), known.secretAccessKey()));
    }

    @Override
    public void close() {
        retrying.close();
        once.close();
        http.close();
    }
}
