package io.weir.rest;

import io.weir.coordinator.CatalogState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.FieldLabel;
import org.apache.iceberg.ImmutableFieldLabel;
import org.apache.iceberg.ImmutableLabels;
import org.apache.iceberg.Labels;
import org.apache.iceberg.catalog.Namespace;

/**
 * What the catalog says about a table or view beside its metadata ({@code labels}): an owner, a domain, a class of data.
 * Said in the settings for a lake, in the properties of namespaces for what is in them, and in the object's own
 * properties; the nearer goes before the farther.
 */
final class CatalogLabels {
    /** Before the label's name, in the properties of a namespace, table or view. */
    static final String PREFIX = "weir.label.";

    /** Of one column, by its field id, so that it stays with the column when that is renamed. */
    private static final Pattern OF_FIELD = Pattern.compile("weir\\.field-label\\.(\\d{1,9})\\.(.+)");

    private CatalogLabels() {}

    /**
     * The labels of an object.
     *
     * @param ofLake what the settings say
     * @param properties the object's own
     */
    static Labels of(
            Map<String, String> ofLake, CatalogState state, Namespace namespace, Map<String, String> properties) {
        Map<String, String> labels = new TreeMap<>(ofLake);
        for (int length = 1; length <= namespace.length(); length++) {
            Namespace outer = Namespace.of(Arrays.copyOf(namespace.levels(), length));
            labels.putAll(named(state.namespaces().getOrDefault(outer, Map.of())));
        }
        labels.putAll(named(properties));
        Map<Integer, Map<String, String>> fields = ofFields(properties);
        return labels.isEmpty() && fields.isEmpty()
                ? Labels.EMPTY
                : ImmutableLabels.builder()
                        .putAllObjectLabels(labels)
                        .addAllFields(fields.entrySet().stream()
                                .<FieldLabel>map(field -> ImmutableFieldLabel.builder()
                                        .fieldId(field.getKey())
                                        .putAllLabels(field.getValue())
                                        .build())
                                .toList())
                        .build();
    }

    private static Map<String, String> named(Map<String, String> properties) {
        Map<String, String> labels = new HashMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith(PREFIX) && key.length() > PREFIX.length()) {
                labels.put(key.substring(PREFIX.length()), value);
            }
        });
        return labels;
    }

    private static Map<Integer, Map<String, String>> ofFields(Map<String, String> properties) {
        Map<Integer, Map<String, String>> fields = new TreeMap<>();
        properties.forEach((key, value) -> {
            Matcher parts = OF_FIELD.matcher(key);
            if (parts.matches()) {
                fields.computeIfAbsent(Integer.valueOf(parts.group(1)), first -> new TreeMap<>())
                        .put(parts.group(2), value);
            }
        });
        return fields;
    }
}
