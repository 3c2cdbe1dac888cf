package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.SqlState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The pass over FROM: finds each table, gives it a label that no text of a user can mean, and resolves what joins it. USING
 * and NATURAL become conditions, so that a column a table gains later changes nothing.
 */
final class FromReader {
    /** What labels begin with. */
    static final String LABEL = "weir ";

    private final Map<String, Schema> sources;
    private final FunctionCatalog functions;
    private final Set<String> labels = new HashSet<>();

    FromReader(Map<String, Schema> sources, FunctionCatalog functions) {
        this.sources = sources;
        this.functions = functions;
    }

    FromClause read(JsonNode from) {
        return from.path("type").asText().equals("BASE_TABLE") ? onlyTable(from) : side(from);
    }

    /** The one table of a view goes without a label, its columns by their own names. */
    private FromClause onlyTable(JsonNode from) {
        String source = find(from);
        Map<String, JsonNode> columns = new LinkedHashMap<>();
        for (NestedField field : sources.get(source).columns()) {
            columns.put(field.name(), Ast.column(field.name()));
        }
        return new FromClause.Table(
                Query.SOURCE, source, sources.get(source), from, columns, Names.of(qualifiers(from), columns));
    }

    private FromClause side(JsonNode from) {
        return from.path("type").asText().equals("JOIN") ? join(from) : table(from);
    }

    private FromClause.Table table(JsonNode from) {
        String source = find(from);
        String label = label(from);
        Map<String, JsonNode> columns = new LinkedHashMap<>();
        for (NestedField field : sources.get(source).columns()) {
            columns.put(field.name(), Ast.column(label, field.name()));
        }
        List<List<String>> qualifiers = new ArrayList<>(List.of(List.of(label)));
        qualifiers(from).stream().filter(parts -> !parts.equals(List.of(label))).forEach(qualifiers::add);
        return new FromClause.Table(label, source, sources.get(source), from, columns, Names.of(qualifiers, columns));
    }

    /** The alias with a mark; a clause that has labels already keeps them. */
    private String label(JsonNode from) {
        String alias = Ast.alias(from).isEmpty() ? parts(from).getLast() : Ast.alias(from);
        String label = alias.startsWith(LABEL) ? alias : LABEL + alias.replace('.', '_');
        String unique = label;
        for (int i = 2; !labels.add(unique.toLowerCase(Locale.ROOT)); i++) {
            unique = label + " " + i;
        }
        return unique;
    }

    private FromClause.Join join(JsonNode from) {
        From.JoinKind kind = kind(from);
        FromClause left = side(from.path("left"));
        FromClause right = side(from.path("right"));
        List<String> using = using(from, left.names(), right.names());
        Map<String, JsonNode> merged = new LinkedHashMap<>();
        List<JsonNode> conditions = new ArrayList<>();
        for (String name : using) {
            JsonNode one = column(name, left.names());
            JsonNode other = column(name, right.names());
            conditions.add(Ast.equal(one, other));
            merged.put(
                    name,
                    switch (kind) {
                        case INNER, LEFT, SEMI, ANTI -> one;
                        case RIGHT -> other;
                        case FULL -> Ast.coalesce(one, other);
                    });
        }
        Names both = left.names().joined(right.names(), merged);
        if (!Ast.isNull(from.path("condition"))) {
            Resolver resolver = new Resolver(both, functions);
            JsonNode condition = resolver.resolve(from.path("condition"));
            resolver.refuseAggregates(condition, "ON");
            conditions.add(condition);
        }
        Names shown = kind == From.JoinKind.SEMI || kind == From.JoinKind.ANTI ? left.names() : both;
        return new FromClause.Join(left, right, kind, conditions.stream().reduce(Ast::and), from, shown);
    }

    private static From.JoinKind kind(JsonNode join) {
        return switch (join.path("join_type").asText()) {
            case "INNER" -> From.JoinKind.INNER;
            case "LEFT" -> From.JoinKind.LEFT;
            case "RIGHT" -> From.JoinKind.RIGHT;
            case "FULL", "OUTER" -> From.JoinKind.FULL;
            case "SEMI" -> From.JoinKind.SEMI;
            case "ANTI" -> From.JoinKind.ANTI;
            default -> throw ViewException.unsupported("a join of this kind");
        };
    }

    private static List<String> using(JsonNode join, Names left, Names right) {
        if (!join.path("ref_type").asText().equals("NATURAL")) {
            List<String> using = new ArrayList<>();
            join.path("using_columns").forEach(name -> using.add(name.asText()));
            return using;
        }
        List<String> common = left.shown().stream()
                .map(Names.Shown::name)
                .filter(name ->
                        right.shown().stream().anyMatch(column -> column.name().equalsIgnoreCase(name)))
                .toList();
        if (common.isEmpty()) {
            throw new ViewException(
                    SqlState.UNDEFINED_COLUMN,
                    "the two sides of NATURAL JOIN have no column of the same name",
                    "write the condition: JOIN … ON …");
        }
        return common;
    }

    private static JsonNode column(String name, Names names) {
        return names.find(List.of(name)).orElseThrow(() -> names.unknown(List.of(name)));
    }

    private static List<String> parts(JsonNode from) {
        List<String> parts = new ArrayList<>();
        for (String part : List.of("catalog_name", "schema_name", "table_name")) {
            if (!from.path(part).asText().isEmpty()) {
                parts.add(from.path(part).asText());
            }
        }
        return parts;
    }

    private static List<List<String>> qualifiers(JsonNode from) {
        String alias = Ast.alias(from);
        if (!alias.isEmpty()) {
            return List.of(List.of(alias));
        }
        List<String> parts = parts(from);
        List<List<String>> qualifiers = new ArrayList<>();
        for (int start = 0; start < parts.size(); start++) {
            qualifiers.add(parts.subList(start, parts.size()));
        }
        return qualifiers;
    }

    private String find(JsonNode from) {
        List<String> parts = parts(from);
        String name = (parts.size() == 1 ? "default." : "") + String.join(".", parts);
        return sources.keySet().stream()
                .filter(name::equalsIgnoreCase)
                .min((left, right) -> Boolean.compare(right.equals(name), left.equals(name)))
                .orElseThrow(
                        () -> new ViewException(SqlState.UNDEFINED_TABLE, "table \"" + name + "\" does not exist", ""));
    }
}
