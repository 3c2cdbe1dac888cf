package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.SqlState;
import io.weir.incremental.engine.EngineSession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The pass that reads a view's expectations as conditions over its columns. */
final class Expectations {
    private final EngineSession session;
    private final Syntax syntax;
    private final FunctionCatalog functions;

    Expectations(EngineSession session, Syntax syntax, FunctionCatalog functions) {
        this.session = session;
        this.syntax = syntax;
        this.functions = functions;
    }

    List<Expectation> compile(ViewDefinition definition, List<OutputColumn> columns) {
        Set<String> seen = new HashSet<>();
        List<Expectation> expectations = new ArrayList<>();
        for (Constraint constraint : definition.constraints()) {
            if (!seen.add(constraint.name().toLowerCase(Locale.ROOT))) {
                throw new ViewException(
                        SqlState.UNDEFINED_OBJECT,
                        "constraint \"" + constraint.name() + "\" is there twice",
                        "give one another name");
            }
            expectations.add(compile(constraint, definition.name(), columns));
        }
        return expectations;
    }

    private Expectation compile(Constraint constraint, String view, List<OutputColumn> columns) {
        Map<String, String> printedAs = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            printedAs.put(columns.get(i).name(), "c" + i);
        }
        String bare = view.substring(view.lastIndexOf('.') + 1);
        Resolver resolver = new Resolver(Names.of(List.of(List.of(bare)), printed(printedAs)), functions);
        JsonNode condition = resolver.resolve(syntax.parseExpression(constraint.condition()));
        resolver.refuseAggregates(condition, "the expectation \"" + constraint.name() + "\"");
        String sql = syntax.print(List.of(condition)).getFirst();
        String relation = columns.stream()
                .map(column -> "CAST(NULL AS " + column.duckType() + ") AS " + printedAs.get(column.name()))
                .collect(Collectors.joining(", ", "(SELECT ", ")"));
        String type = ViewCompiler.types(session, relation, List.of(sql)).getFirst();
        if (!type.equals("BOOLEAN")) {
            throw new ViewException(
                    SqlState.DATATYPE_MISMATCH,
                    "the expectation \"" + constraint.name() + "\" is of type " + type + ", not BOOLEAN",
                    "write a condition");
        }
        return new Expectation(constraint.name(), constraint.condition(), constraint.onViolation(), sql);
    }

    private static Map<String, JsonNode> printed(Map<String, String> printedAs) {
        Map<String, JsonNode> columns = new LinkedHashMap<>();
        printedAs.forEach((name, printed) -> columns.put(name, Ast.column(printed)));
        return columns;
    }
}
