package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Column;
import io.weir.incremental.engine.DuckTypes;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Quoting;
import io.weir.incremental.engine.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;

/**
 * A view's text to its plan: parse, resolve every name, ask the engine for the types, then split into the layers a stage
 * is moved by. The text itself is never run. What cannot be kept exact is refused here, with the reason.
 */
public final class ViewCompiler {
    private static final Set<String> RESERVED = Set.of(
            "_row_id",
            "_last_updated_sequence_number",
            "_version",
            "_created_at",
            "_updated_at",
            "_deleted",
            "_change_type");

    private final Engine engine;

    public ViewCompiler(Engine engine) {
        this.engine = engine;
    }

    /**
     * The plan of a view.
     *
     * @param sources the schemas of the tables and views there are, by qualified name ({@code namespace.name})
     * @throws ViewException when it cannot be made
     */
    public ViewPlan compile(ViewDefinition definition, Map<String, Schema> sources) {
        try (EngineSession session = engine.session()) {
            return new Compilation(session, definition).plan(sources);
        } catch (EngineException e) {
            throw new ViewException(e.state(), e.getMessage(), e.hint(), e);
        }
    }

    /** The work on one view. */
    private static final class Compilation {
        private final EngineSession session;
        private final ViewDefinition definition;
        private final Syntax syntax;
        private final FunctionCatalog functions;

        Compilation(EngineSession session, ViewDefinition definition) {
            this.session = session;
            this.definition = definition;
            this.syntax = new Syntax(session);
            this.functions = new FunctionCatalog(session);
        }

        ViewPlan plan(Map<String, Schema> sources) {
            Query query = Query.of(syntax.parse(definition.sql()), sources, functions);
            String unnamed = syntax.printStatement(query.select());
            List<OutputColumn> columns = columns(session.describe(overEmpty(query, unnamed)));
            JsonNode whole = named(query, columns);
            String sql = syntax.printStatement(whole);
            String again = syntax.printStatement(query.overSources(whole));
            List<Expectation> expectations = new Expectations(session, syntax, functions).compile(definition, columns);
            StageBuilder builder = new StageBuilder(session, syntax, query, columns);
            Stage stage = builder.build();
            Optional<String> reason = builder.reason();
            String refresh = reason.isPresent() ? "by key" : "incremental";
            checkRefresh(refresh, reason);
            return new ViewPlan(
                    again,
                    sql,
                    query.from().tables().stream()
                            .map(FromClause.Table::source)
                            .distinct()
                            .toList(),
                    query.from().tables().stream()
                            .collect(Collectors.toMap(FromClause.Table::label, FromClause.Table::source)),
                    columns,
                    stage,
                    switch (stage) {
                        case RowStage rows -> "rows";
                        case CombinedStage rows -> "join";
                        case GroupStage groups -> "aggregate";
                    },
                    refresh,
                    reason,
                    expectations,
                    builder.hidden());
        }

        private String overEmpty(Query query, String statement) {
            Map<String, Relation> tables = new TreeMap<>();
            query.from()
                    .tables()
                    .forEach(table -> tables.put(table.label(), session.rows(TableRows.none(table.schema()), false)));
            return Reference.over(tables, statement);
        }

        private JsonNode named(Query query, List<OutputColumn> columns) {
            List<JsonNode> items = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                items.add(Ast.named(query.items().get(i), columns.get(i).name()));
            }
            return Ast.with(query.select(), "select_list", Ast.array(items));
        }

        private List<OutputColumn> columns(List<Column> described) {
            List<String> given = definition.columns().orElse(List.of());
            if (!given.isEmpty() && given.size() != described.size()) {
                throw new ViewException(
                        SqlState.SYNTAX_ERROR,
                        "the view names " + given.size() + " columns and its query has " + described.size(),
                        "name them all or none");
            }
            List<OutputColumn> columns = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < described.size(); i++) {
                String name = given.isEmpty() ? described.get(i).name() : given.get(i);
                check(name, seen);
                int[] ids = {0};
                Type type = described.get(i).icebergType(() -> ++ids[0]);
                columns.add(new OutputColumn(name, type, DuckTypes.toDuck(type)));
            }
            return columns;
        }

        private static void check(String name, Set<String> seen) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!seen.add(lower)) {
                throw new ViewException(
                        SqlState.DUPLICATE_COLUMN,
                        "column \"" + name + "\" is there twice",
                        "give one another name: AS …");
            }
            if (RESERVED.contains(lower) || lower.startsWith(StateLayout.PREFIX)) {
                throw new ViewException(
                        SqlState.DUPLICATE_COLUMN,
                        "the column name \"" + name + "\" is kept for Weir itself",
                        "give the column another name: AS …");
            }
        }

        private void checkRefresh(String refresh, Optional<String> reason) {
            String asked = definition.options().getOrDefault("refresh", refresh);
            switch (asked) {
                case "incremental" -> {
                    if (reason.isPresent()) {
                        throw new ViewException(
                                SqlState.FEATURE_NOT_SUPPORTED,
                                "the view cannot be refreshed incrementally: " + reason.get(),
                                "leave the option refresh out, or set it to 'by key'");
                    }
                }
                case "by key" -> {}
                case "full" -> throw ViewException.unsupported("refresh = 'full'");
                default ->
                    throw new ViewException(
                            SqlState.INVALID_ARGUMENT,
                            "refresh = '" + asked + "' is not known",
                            "it is one of 'incremental', 'by key'");
            }
        }
    }

    /** {@code SELECT e0, e1, …} over a relation without rows, to ask for types. */
    static List<String> types(EngineSession session, String relation, List<String> expressions) {
        if (expressions.isEmpty()) {
            return List.of();
        }
        String list = expressions.stream().collect(Collectors.joining(", "));
        return session.describe("SELECT " + list + " FROM " + relation).stream()
                .map(Column::type)
                .toList();
    }

    static String quoted(String name) {
        return Quoting.name(name);
    }
}
