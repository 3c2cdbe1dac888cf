package io.weir.incremental.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.iceberg.Schema;

/**
 * Keeps system columns out of the stars of one SELECT. They are exposed as ordinary columns where a statement names
 * them, so each star over a table of the lake is told to leave them out. A {@code COLUMNS('regular expression')} is left
 * as it is.
 */
final class Stars {
    private final Set<SystemColumn> named;
    private final List<Covered> covered = new ArrayList<>();

    private record Covered(String alias, List<String> columns) {}

    Stars(Set<SystemColumn> named) {
        this.named = named;
    }

    /** Every system column that a name anywhere below stands for. */
    static void namedIn(JsonNode node, Set<SystemColumn> named) {
        for (String list : List.of("column_names", "using_columns", "exclude_list")) {
            for (JsonNode name : node.path(list)) {
                SystemColumn.named(name.asText()).ifPresent(named::add);
            }
        }
        for (JsonNode name : node.path("qualified_exclude_list")) {
            SystemColumn.named(name.path("column").asText()).ifPresent(named::add);
        }
        node.forEach(child -> namedIn(child, named));
    }

    /** A table that stars of this SELECT give the columns of. A column of its own under such a name is its own. */
    void covers(String alias, Schema schema) {
        List<String> hidden = named.stream()
                .map(SystemColumn::columnName)
                .filter(column -> schema.caseInsensitiveFindField(column) == null)
                .toList();
        if (!hidden.isEmpty()) {
            covered.add(new Covered(alias, hidden));
        }
    }

    /** Rewrites the stars of this SELECT, not those of queries inside it. */
    void rewrite(JsonNode node) {
        if (covered.isEmpty()) {
            return;
        }
        if (node instanceof ObjectNode object
                && object.path("class").asText().equals("STAR")
                && object.path("expr").isNull()) {
            exclude(object);
        }
        node.properties().forEach(member -> {
            if (!member.getKey().equals("from_table") && !member.getKey().equals("cte_map")) {
                below(member.getValue());
            }
        });
    }

    private void below(JsonNode node) {
        if (node.isArray()) {
            node.forEach(this::below);
        } else if (node.isObject() && !node.path("type").asText().endsWith("_NODE")) {
            rewrite(node);
        }
    }

    private void exclude(ObjectNode star) {
        String relation = star.path("relation_name").asText();
        Set<String> already = new HashSet<>();
        star.path("exclude_list").forEach(name -> already.add(lower(name.asText())));
        star.path("qualified_exclude_list")
                .forEach(name -> already.add(lower(name.path("column").asText())));
        ArrayNode excluded = (ArrayNode) star.path("qualified_exclude_list");
        for (Covered table : covered) {
            if (!relation.isEmpty() && !lower(relation).equals(lower(table.alias))) {
                continue;
            }
            for (String column : table.columns) {
                if (!already.contains(column)) {
                    excluded.addObject()
                            .put("catalog", "")
                            .put("schema", "")
                            .put("table", table.alias)
                            .put("column", column);
                }
            }
        }
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
