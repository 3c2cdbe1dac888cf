package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.SqlState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The names an expression can mention: the columns of the relations it reads, under their qualifiers, compared without
 * case. A column that several relations have is ambiguous without a qualifier, unless a join USING it made them one.
 */
final class Names {
    private final List<Relation> relations;
    private final Map<String, List<JsonNode>> unqualified;
    private final List<Shown> shown;

    /** A relation; {@code qualifiers} are what may stand before its columns, such as {@code [ns, t]} and {@code [t]}. */
    private record Relation(List<List<String>> qualifiers, Map<String, JsonNode> columns, List<Shown> shown) {
        boolean isCalled(String name) {
            return qualifiers.stream()
                    .anyMatch(parts -> parts.size() == 1 && parts.getFirst().equalsIgnoreCase(name));
        }
    }

    /** A column as a star gives it. */
    record Shown(String name, JsonNode column) {}

    private Names(List<Relation> relations, Map<String, List<JsonNode>> unqualified, List<Shown> shown) {
        this.relations = relations;
        this.unqualified = unqualified;
        this.shown = shown;
    }

    /** The columns of a source under their own names. */
    static Names of(List<List<String>> qualifiers, List<String> columns) {
        Map<String, JsonNode> own = new LinkedHashMap<>();
        columns.forEach(column -> own.put(column, Ast.column(column)));
        return of(qualifiers, own);
    }

    /** Columns of one relation, and what each stands for. */
    static Names of(List<List<String>> qualifiers, Map<String, JsonNode> columns) {
        Map<String, JsonNode> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(columns);
        Map<String, List<JsonNode>> unqualified = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.forEach((name, column) -> unqualified.put(name, List.of(column)));
        List<Shown> shown = columns.entrySet().stream()
                .map(entry -> new Shown(entry.getKey(), entry.getValue()))
                .toList();
        return new Names(List.of(new Relation(qualifiers, byName, shown)), unqualified, shown);
    }

    /** What a join shows of both its sides; each name in {@code merged} is one column of both. */
    Names joined(Names right, Map<String, JsonNode> merged) {
        for (Relation relation : right.relations) {
            relations.forEach(known -> requireOtherName(known, relation));
        }
        Map<String, JsonNode> using = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        using.putAll(merged);
        List<Relation> all = new ArrayList<>(relations);
        all.addAll(right.relations);
        Map<String, List<JsonNode>> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        unqualified.forEach((name, found) -> columns.put(name, new ArrayList<>(found)));
        right.unqualified.forEach((name, found) ->
                columns.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(found));
        using.forEach((name, column) -> columns.put(name, List.of(column)));
        List<Shown> star = new ArrayList<>();
        shown.forEach(column -> star.add(new Shown(column.name(), using.getOrDefault(column.name(), column.column()))));
        right.shown.stream().filter(column -> !using.containsKey(column.name())).forEach(star::add);
        return new Names(all, columns, star);
    }

    private static void requireOtherName(Relation one, Relation other) {
        for (List<String> qualifier : one.qualifiers()) {
            if (other.qualifiers().stream().anyMatch(parts -> same(parts, qualifier))) {
                throw new ViewException(
                        SqlState.DUPLICATE_ALIAS,
                        "\"" + String.join(".", qualifier) + "\" stands in FROM twice",
                        "give one of them another name: AS …");
            }
        }
    }

    private static boolean same(List<String> one, List<String> other) {
        return one.size() == other.size() && startsWith(one, other);
    }

    /** What {@code *} gives, in order. */
    List<Shown> shown() {
        return shown;
    }

    /** What {@code relation.*} gives; empty where there is no such relation. */
    Optional<List<Shown>> shown(String relation) {
        return relations.stream()
                .filter(known -> known.isCalled(relation))
                .map(Relation::shown)
                .findFirst();
    }

    Collection<String> columns() {
        return unqualified.keySet();
    }

    /** The column meant, and the struct fields taken from it, where the first name or names are a column's. */
    Optional<JsonNode> find(List<String> names) {
        for (Relation relation : relations) {
            for (List<String> qualifier : relation.qualifiers()) {
                int size = qualifier.size();
                if (names.size() > size
                        && startsWith(names, qualifier)
                        && relation.columns().containsKey(names.get(size))) {
                    JsonNode column = relation.columns().get(names.get(size));
                    return Optional.of(fields(column, names.subList(size + 1, names.size())));
                }
            }
        }
        List<JsonNode> found = unqualified.getOrDefault(names.getFirst(), List.of());
        if (found.size() > 1) {
            throw ambiguous(names.getFirst());
        }
        return found.stream().findFirst().map(column -> fields(column, names.subList(1, names.size())));
    }

    private ViewException ambiguous(String name) {
        String choices = relations.stream()
                .filter(relation -> relation.columns().containsKey(name))
                .map(relation -> relation.qualifiers().getLast().getFirst() + "." + name)
                .collect(Collectors.joining(" or "));
        return new ViewException(
                SqlState.AMBIGUOUS_COLUMN,
                "column \"" + name + "\" is ambiguous: several of the tables have it",
                "write " + choices);
    }

    private static boolean startsWith(List<String> names, List<String> qualifier) {
        for (int i = 0; i < qualifier.size(); i++) {
            if (!names.get(i).equalsIgnoreCase(qualifier.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode fields(JsonNode column, List<String> fields) {
        JsonNode node = column;
        for (String field : fields) {
            node = Ast.field(node, field);
        }
        return node;
    }

    ViewException unknown(List<String> names) {
        String name = String.join(".", names);
        String last = names.getLast().toLowerCase(Locale.ROOT);
        if (last.equals("_row_id")
                || last.equals("_version")
                || last.equals("_created_at")
                || last.equals("_updated_at")) {
            return ViewException.unsupported("the system column " + name);
        }
        return new ViewException(
                SqlState.UNDEFINED_COLUMN,
                "column \"" + name + "\" does not exist",
                columns().stream()
                        .limit(40)
                        .collect(Collectors.joining(
                                ", ", "there are: ", columns().size() > 40 ? ", …" : "")));
    }
}
