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
 * columns its source had when it was made.
 */
final class StarExpansion {
    private final Names names;
    private final List<String> columns;

    StarExpansion(Names names, List<String> columns) {
        this.names = names;
        this.columns = columns;
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
        if (!relation.isEmpty() && !names.isQualifier(relation)) {
            throw names.unknown(List.of(relation, "*"));
        }
        Set<String> excluded = new HashSet<>();
        star.path("exclude_list").forEach(name -> excluded.add(lower(known(name.asText()))));
        star.path("qualified_exclude_list")
                .forEach(entry -> excluded.add(lower(known(entry.path("column").asText()))));
        Map<String, JsonNode> replaced = new HashMap<>();
        star.path("replace_list")
                .forEach(entry -> replaced.put(lower(known(entry.path("key").asText())), entry.path("value")));
        if (!star.path("rename_list").isEmpty()) {
            throw ViewException.unsupported("RENAME after *");
        }
        return columns.stream()
                .filter(column -> !excluded.contains(lower(column)))
                .map(column -> Ast.named(replaced.getOrDefault(lower(column), Ast.column(column)), column))
                .toList();
    }

    private String known(String column) {
        if (names.find(List.of(column)).isEmpty()) {
            throw names.unknown(List.of(column));
        }
        return column;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
