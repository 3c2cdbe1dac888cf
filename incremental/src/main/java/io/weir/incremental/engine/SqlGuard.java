package io.weir.incremental.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Lets a user's SELECT through, or says why not: text from users is never run, only what is printed back from a syntax
 * tree that passed here.
 *
 * <p>What passes is exactly one SELECT over known tables, with allowed functions and nothing of a kind this class does
 * not know. Its tables are renamed to where they will be exposed, its stars leave system columns out, and its parameters
 * are numbered. It does not check types or columns: the engine does when it runs.
 */
public final class SqlGuard {
    private static final Set<String> EXPRESSIONS = Set.of(
            "COLUMN_REF",
            "CONSTANT",
            "CAST",
            "COMPARISON",
            "CONJUNCTION",
            "OPERATOR",
            "FUNCTION",
            "WINDOW",
            "SUBQUERY",
            "CASE",
            "BETWEEN",
            "PARAMETER",
            "LAMBDA",
            "LAMBDA_REF",
            "COLLATE",
            "POSITIONAL_REFERENCE",
            "STAR",
            "TYPE");
    private static final Set<String> MODIFIERS =
            Set.of("ORDER_MODIFIER", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "DISTINCT_MODIFIER");

    private final KnownTables known;
    private final Set<SystemColumn> systemColumns;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final Map<TableReference, Boolean> tables = new LinkedHashMap<>();
    private final List<ObjectNode> columns = new ArrayList<>();
    private final Map<List<String>, List<String>> renamed = new LinkedHashMap<>();

    private SqlGuard(KnownTables known, Set<SystemColumn> systemColumns) {
        this.known = known;
        this.systemColumns = systemColumns;
    }

    /** Checks text; {@code session} is only used to parse and print. */
    public static CheckedSql check(EngineSession session, String sql, KnownTables known) {
        return check(session, SyntaxTree.parse(session, sql), known);
    }

    /** Checks a tree, which it changes. */
    public static CheckedSql check(EngineSession session, SyntaxTree tree, KnownTables known) {
        Set<SystemColumn> named = EnumSet.noneOf(SystemColumn.class);
        Stars.namedIn(tree.query(), named);
        SqlGuard guard = new SqlGuard(known, named);
        guard.query(tree.query(), Set.of());
        guard.requalify();
        tree.statement().set("named_param_map", guard.numberedParameters(tree));
        return new CheckedSql(
                tree.print(session), List.copyOf(guard.tables.keySet()), named, List.copyOf(guard.parameters.keySet()));
    }

    /** A query node with the CTEs it can see. */
    private void query(ObjectNode query, Set<String> outer) {
        Set<String> visible = new HashSet<>(outer);
        for (JsonNode entry : query.path("cte_map").path("map")) {
            String name = entry.path("key").asText().toLowerCase(Locale.ROOT);
            ObjectNode body = (ObjectNode) entry.path("value").path("query").path("node");
            Set<String> inside = new HashSet<>(visible);
            if (body.path("type").asText().equals("RECURSIVE_CTE_NODE")) {
                inside.add(name);
            }
            query(body, inside);
            visible.add(name);
        }
        String type = query.path("type").asText();
        switch (type) {
            case "SELECT_NODE" -> {
                Stars stars = new Stars(systemColumns);
                from(query.path("from_table"), visible, stars, true);
                stars.rewrite(query);
                members(query, visible, Set.of("from_table", "cte_map"));
            }
            case "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE" -> members(query, visible, Set.of("cte_map"));
            default -> throw refused("a query of kind " + type);
        }
    }

    private void members(JsonNode parent, Set<String> visible, Set<String> except) {
        parent.properties().forEach(member -> {
            if (!except.contains(member.getKey())) {
                any(member.getValue(), visible);
            }
        });
    }

    /** Whatever may stand below a query or an expression. */
    private void any(JsonNode node, Set<String> visible) {
        if (node.isArray()) {
            node.forEach(element -> any(element, visible));
        } else if (node instanceof ObjectNode object) {
            String type = object.path("type").asText();
            if (object.has("class")) {
                expression(object, visible);
            } else if (type.endsWith("_NODE")) {
                query(object, visible);
            } else if (object.has("type") && !MODIFIERS.contains(type) && isTableLike(object)) {
                throw refused("a table of kind " + type);
            } else {
                members(object, visible, Set.of());
            }
        }
    }

    /** Tables stand in FROM alone, which {@link #from} walks; one met elsewhere is of a kind not known here. */
    private static boolean isTableLike(ObjectNode object) {
        return object.has("sample") && object.has("alias");
    }

    private void expression(ObjectNode expression, Set<String> visible) {
        String kind = expression.path("class").asText();
        if (!EXPRESSIONS.contains(kind)) {
            throw refused("an expression of kind " + kind);
        }
        switch (kind) {
            case "FUNCTION", "WINDOW" -> {
                String function = expression.path("function_name").asText();
                if (!AllowedFunctions.scalar(function)) {
                    throw refused("the function " + function);
                }
            }
            case "COLUMN_REF" -> columns.add(expression);
            case "PARAMETER" -> {
                String written = expression.path("identifier").asText();
                expression.put("identifier", parameters.computeIfAbsent(written, name -> "" + (parameters.size() + 1)));
            }
            default -> {}
        }
        members(expression, visible, Set.of());
    }

    /** A FROM clause; {@code starred} says whether the stars of its SELECT cover it. */
    private void from(JsonNode table, Set<String> visible, Stars stars, boolean starred) {
        String type = table.path("type").asText();
        switch (type) {
            case "EMPTY" -> {}
            case "BASE_TABLE" -> base((ObjectNode) table, visible, stars, starred);
            case "SUBQUERY" -> query((ObjectNode) table.path("subquery").path("node"), visible);
            case "JOIN" -> {
                if (table.path("ref_type").asText().equals("NATURAL") && !systemColumns.isEmpty()) {
                    throw new EngineException(
                            SqlState.FEATURE_NOT_SUPPORTED,
                            "a NATURAL JOIN cannot stand in a statement that names system columns",
                            "write JOIN … USING (…)");
                }
                String join = table.path("join_type").asText();
                from(table.path("left"), visible, stars, starred);
                from(table.path("right"), visible, stars, starred && !join.equals("SEMI") && !join.equals("ANTI"));
                members(table, visible, Set.of("left", "right"));
            }
            case "TABLE_FUNCTION" -> {
                String function = table.path("function").path("function_name").asText();
                if (!AllowedFunctions.inFrom(function)) {
                    throw refused("the table function " + function);
                }
                members(table.path("function"), visible, Set.of());
            }
            case "EXPRESSION_LIST" -> any(table.path("values"), visible);
            case "PIVOT" -> {
                if (!systemColumns.isEmpty()) {
                    throw refused("PIVOT together with system columns");
                }
                from(table.path("source"), visible, stars, false);
                members(table, visible, Set.of("source"));
            }
            default -> throw refused("a table of kind " + type);
        }
    }

    private void base(ObjectNode table, Set<String> visible, Stars stars, boolean starred) {
        String catalog = table.path("catalog_name").asText();
        String schema = table.path("schema_name").asText();
        String written = table.path("table_name").asText();
        if (schema.isEmpty() && visible.contains(written.toLowerCase(Locale.ROOT))) {
            return;
        }
        String namespace = catalog.isEmpty() ? schema : catalog + "." + schema;
        TableName name = new TableName(namespace.isEmpty() ? TableName.DEFAULT_NAMESPACE : namespace, written);
        KnownTables.KnownTable found = known.find(name)
                .orElseThrow(() -> new EngineException(
                        SqlState.UNDEFINED_TABLE,
                        "table " + name + " does not exist",
                        "SHOW TABLES lists those there are"));
        TableReference reference = Exposure.of(found.name(), table.path("at_clause"));
        tables.put(reference, true);
        String alias = table.path("alias").asText();
        if (alias.isEmpty() && !reference.exposedTable().equals(written)) {
            alias = written;
            table.put("alias", alias);
        }
        if (!namespace.isEmpty() && table.path("alias").asText().isEmpty()) {
            renamed.put(parts(catalog, schema, written), List.of(reference.exposedSchema(), reference.exposedTable()));
        } else if (!namespace.isEmpty() && alias.equals(written)) {
            renamed.put(parts(catalog, schema, written), List.of(alias));
        }
        table.put("catalog_name", "");
        table.put("schema_name", reference.exposedSchema());
        table.put("table_name", reference.exposedTable());
        table.putNull("at_clause");
        if (starred) {
            stars.covers(alias.isEmpty() ? written : alias, found.schema());
        }
    }

    private static List<String> parts(String catalog, String schema, String table) {
        return (catalog.isEmpty() ? List.of(schema, table) : List.of(catalog, schema, table))
                .stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
    }

    /** Columns written as {@code namespace.table.column} follow their tables to where these are exposed. */
    private void requalify() {
        for (ObjectNode column : columns) {
            List<String> names = new ArrayList<>();
            column.path("column_names").forEach(part -> names.add(part.asText()));
            renamed.forEach((written, exposed) -> {
                if (names.size() > written.size()
                        && parts(names).subList(0, written.size()).equals(written)) {
                    ArrayNode changed = column.putArray("column_names");
                    exposed.forEach(changed::add);
                    names.subList(written.size(), names.size()).forEach(changed::add);
                }
            });
        }
    }

    private static List<String> parts(List<String> names) {
        return names.stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
    }

    private ArrayNode numberedParameters(SyntaxTree tree) {
        ArrayNode numbered = tree.statement().arrayNode();
        parameters
                .values()
                .forEach(number -> numbered.addObject().put("key", number).put("value", Integer.parseInt(number)));
        return numbered;
    }

    private static EngineException refused(String what) {
        return new EngineException(
                SqlState.INSUFFICIENT_PRIVILEGE,
                what + " is not allowed here",
                "a SELECT may read tables of the lake, and call functions that look at nothing but their arguments");
    }
}
