package io.weir.rest;

import java.util.HashMap;
import java.util.Map;

/**
 * Properties of the tables that are made in a lake through the protocol. Told to clients too, as {@code table-default.…}
 * and {@code table-override.…}.
 *
 * @param defaults where the table's creator says nothing
 * @param overrides whatever the table's creator says
 */
public record TableDefaults(Map<String, String> defaults, Map<String, String> overrides) {
    public static final TableDefaults NONE = new TableDefaults(Map.of(), Map.of());

    public TableDefaults {
        defaults = Map.copyOf(defaults);
        overrides = Map.copyOf(overrides);
    }

    Map<String, String> applied(Map<String, String> asked) {
        Map<String, String> properties = new HashMap<>(defaults);
        properties.putAll(asked);
        properties.putAll(overrides);
        return properties;
    }

    Map<String, String> toldAsDefaults() {
        return prefixed("table-default.", defaults);
    }

    Map<String, String> toldAsOverrides() {
        return prefixed("table-override.", overrides);
    }

    private static Map<String, String> prefixed(String prefix, Map<String, String> properties) {
        Map<String, String> told = new HashMap<>();
        properties.forEach((name, value) -> told.put(prefix + name, value));
        return told;
    }
}
