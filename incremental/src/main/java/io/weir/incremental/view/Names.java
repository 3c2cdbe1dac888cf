package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.SqlState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The names an expression can mention: columns of one relation under its qualifiers, compared without case. */
final class Names {
    private final List<List<String>> qualifiers;
    private final Map<String, JsonNode> columns;

    private Names(List<List<String>> qualifiers, Map<String, JsonNode> columns) {
        this.qualifiers = qualifiers;
        this.columns = columns;
    }

    /** The columns of a source; {@code qualifiers} are what may stand before them, such as {@code [ns, t]} and {@code [t]}. */
    static Names of(List<List<String>> qualifiers, List<String> columns) {
        Map<String, String> own = new LinkedHashMap<>();
        columns.forEach(column -> own.put(column, column));
        return of(qualifiers, own);
    }

    /** Columns under other names than they are printed as. */
    static Names of(List<List<String>> qualifiers, Map<String, String> printedAs) {
        Map<String, JsonNode> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        printedAs.forEach((name, printed) -> columns.put(name, Ast.column(printed)));
        return new Names(qualifiers, columns);
    }

    boolean isQualifier(String name) {
        return qualifiers.stream()
                .anyMatch(parts -> parts.size() == 1 && parts.getFirst().equalsIgnoreCase(name));
    }

    /** The column meant, and the struct fields taken from it, where the first name or names are a column's. */
    Optional<JsonNode> find(List<String> names) {
        for (List<String> qualifier : qualifiers) {
            int size = qualifier.size();
            if (names.size() > size && startsWith(names, qualifier) && columns.containsKey(names.get(size))) {
                return Optional.of(fields(columns.get(names.get(size)), names.subList(size + 1, names.size())));
            }
        }
        return Optional.ofNullable(columns.get(names.getFirst()))
                .map(column -> fields(column, names.subList(1, names.size())));
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
                columns.keySet().stream()
                        .limit(40)
                        .collect(Collectors.joining(", ", "there are: ", columns.size() > 40 ? ", …" : "")));
    }
}
