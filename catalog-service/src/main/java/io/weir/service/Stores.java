package io.weir.service;

import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.S3Config;
import java.util.HashMap;
import java.util.Map;

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

    private static void put(Map<String, String> properties, String key, String value) {
        if (!value.isEmpty()) {
            properties.put(key, value);
        }
    }
}
