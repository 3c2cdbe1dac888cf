package io.weir.rest;

import java.util.HashMap;
import java.util.Map;

/** Properties as they come in and go out. */
final class Properties {
    private Properties() {}

    /** The caller's properties, none of them null. */
    static Map<String, String> require(Map<String, String> properties) {
        properties.forEach((key, value) -> {
            if (value == null) {
                throw HttpProblem.badRequest("Property \"%s\" is null: a property has a text, or is left out", key);
            }
        });
        return properties;
    }

    /** A copy that Iceberg's response builders take: they ask whether it holds the null key, which some maps refuse. */
    static Map<String, String> forResponse(Map<String, String> properties) {
        return new HashMap<>(properties);
    }
}
