package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The pass that writes {@code *}, {@code t.*} and their EXCLUDE, REPLACE and RENAME out as columns. A view keeps the
 * columns its sources had when it was made.
 */
final class StarExpansion {
    private final Names names;

    StarExpansion(Names names) {
        this.names = names;
    }

    List<JsonNode> expand(List<JsonNode> selectList) {
        List<JsonNode> expanded = new ArrayList<>();
        for (JsonNode item : selectList) {
            if (Ast.isClass(item, "STAR")) {
                expanded.addAll(star(item));
            } else {
                expanded.add(item);
            }
        }
        return expanded;
    }

    private List<JsonNode> star(JsonNode star) {
        if (star.path("columns").asBoolean() || !Ast.isNull(star.path("expr"))) {
            throw ViewException.unsupported("COLUMNS(…), or a pattern after *,");
        }
        String relation = star.path("relation_name").asText();
        List<Names.Shown> shown = relation.isEmpty()
                ? names.shown()
                : names.shown(relation).orElseThrow(() -> names.unknown(List.of(relation, "*")));
        Set<String> excluded = new HashSet<>();
        star.path("exclude_list").forEach(name -> excluded.add(lower(known(name.asText()))));
        Set<JsonNode> excludedOfOne = new HashSet<>();
        star.path("qualified_exclude_list").forEach(entry -> excludedOfOne.add(qualified(entry)));
        Map<String, JsonNode> replaced = new HashMap<>();
        star.path("replace_list")
                .forEach(entry -> replaced.put(lower(known(entry.path("key").asText())), entry.path("value")));
        if (!star.path("rename_list").isEmpty()) {
            throw ViewException.unsupported("RENAME after *");
        }
        return shown.stream()
                .filter(column -> !excluded.contains(lower(column.name())) && !excludedOfOne.contains(column.column()))
                .map(column -> Ast.named(replaced.getOrDefault(lower(column.name()), column.column()), column.name()))
                .toList();
    }

    /** A column excluded by its whole name, or by a bare one that only one relation has. */
    private JsonNode qualified(JsonNode entry) {
        List<String> parts = new ArrayList<>();
        for (String part : List.of("catalog", "schema", "table", "column")) {
            if (!entry.path(part).asText().isEmpty()) {
                parts.add(entry.path(part).asText());
            }
        }
        return names.find(parts).orElseThrow(() -> names.unknown(parts));
    }

    private String known(String column) {
        if (names.columns().stream().noneMatch(column::equalsIgnoreCase)) {
            throw names.unknown(List.of(column));
        }
        return column;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
