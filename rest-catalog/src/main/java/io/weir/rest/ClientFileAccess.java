package io.weir.rest;

import io.weir.store.S3Config;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.s3.S3FileIOProperties;

/** What clients are told about reaching a lake's files: where the store is and how it is spoken to, never credentials. */
public final class ClientFileAccess {
    /** As PyIceberg calls it. */
    private static final String S3_REGION = "s3.region";

    private ClientFileAccess() {}

    public static Map<String, String> of(URI root, S3Config s3) {
        if (root.getScheme() == null || !root.getScheme().startsWith("s3")) {
            return Map.of();
        }
        Map<String, String> config = new HashMap<>();
        s3.endpoint().ifPresent(endpoint -> config.put(S3FileIOProperties.ENDPOINT, endpoint.toString()));
        config.put(S3FileIOProperties.PATH_STYLE_ACCESS, Boolean.toString(s3.pathStyle()));
        config.put(AwsClientProperties.CLIENT_REGION, s3.region());
        config.put(S3_REGION, s3.region());
        return config;
    }
}
