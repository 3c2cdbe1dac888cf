package io.weir.service;

import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.S3Config;
import io.weir.store.StsConfig;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The stores' configuration from the settings, under the names Iceberg's S3FileIO has. */
public final class Stores {
    private Stores() {}

    public static S3Config s3(Settings settings) {
        Map<String, String> properties = new HashMap<>();
        put(properties, "s3.endpoint", settings.text(Setting.S3_ENDPOINT));
        put(properties, "client.region", settings.text(Setting.S3_REGION));
        put(properties, "s3.access-key-id", settings.text(Setting.S3_ACCESS_KEY_ID));
        put(properties, "s3.secret-access-key", settings.text(Setting.S3_SECRET_ACCESS_KEY));
        put(properties, "s3.path-style-access", settings.text(Setting.S3_PATH_STYLE));
        return S3Config.fromProperties(properties);
    }

    /** How clients are given credentials; empty where they are not. */
    static Optional<StsConfig> sts(Settings settings) {
        String role = settings.text(Setting.STS_ROLE_ARN);
        String endpoint = settings.text(Setting.STS_ENDPOINT);
        return role.isEmpty()
                ? Optional.empty()
                : Optional.of(new StsConfig(
                        role,
                        endpoint.isEmpty() ? Optional.empty() : Optional.of(URI.create(endpoint)),
                        settings.duration(Setting.STS_DURATION)));
    }

    private static void put(Map<String, String> properties, String key, String value) {
        if (!value.isEmpty()) {
            properties.put(key, value);
        }
    }
}
