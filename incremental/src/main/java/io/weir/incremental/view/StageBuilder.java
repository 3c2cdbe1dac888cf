package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The pass from a resolved query to the stage that keeps it. */
final class StageBuilder {
    private final EngineSession session;
    private final Syntax syntax;
    private final Query query;
    private final List<OutputColumn> columns;
    private final FromBuilder from;
    private List<HiddenColumn> hidden = List.of();
    private Optional<String> reason = Optional.empty();

    StageBuilder(EngineSession session, Syntax syntax, Query query, List<OutputColumn> columns) {
        this.session = session;
        this.syntax = syntax;
        this.query = query;
        this.columns = columns;
        this.from = new FromBuilder(syntax, query.from(), query.where());
    }

    /** The columns of state the stage needs, once it is built. */
    List<HiddenColumn> hidden() {
        return hidden;
    }

    /** Why the stage works by key, where it does. */
    Optional<String> reason() {
        return reason;
    }

    Stage build() {
        List<JsonNode> items = query.items().stream().map(from::flattened).toList();
        Optional<String> where = from.where().map(from::flattened).map(this::print);
        if (!query.grouped()) {
            return rows(where, syntax.print(items));
        }
        List<JsonNode> keyNodes = query.keys().stream().map(from::flattened).toList();
        Optional<JsonNode> havingNode = query.having().map(from::flattened);
        Grouping grouping = new Grouping(keyNodes, query.resolver()::isAggregate);
        List<String> outputs = syntax.print(items.stream().map(grouping::split).toList());
        Optional<String> having = havingNode.map(grouping::split).map(this::print);
        List<GroupStage.Key> keys = keys(keyNodes);
        List<AggregateCall> calls = calls(grouping.calls());
        List<String> resultTypes =
                types(calls.stream().map(AggregateCall::whole).toList());
        reason = calls.stream()
                .map(AggregateCall::whyWhole)
                .flatMap(Optional::stream)
                .findFirst();

        Measures measures = new Measures();
        List<String> aggregates = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            aggregates.add(
                    reason.isPresent()
                            ? measures.whole(calls.get(i), resultTypes.get(i))
                            : measures.aggregate(calls.get(i), resultTypes.get(i)));
        }
        StateLayout layout = new StateLayout(columns, outputs);
        GroupStage.Stored stored =
                reason.isPresent() ? layout.keysOnly(keys) : layout.whole(keys, measures.list(), aggregates);
        hidden = layout.hidden();
        return new GroupStage(
                from.build(), where, keys, measures.list(), aggregates, having, outputs, reason.isPresent(), stored);
    }

    private List<GroupStage.Key> keys(List<JsonNode> nodes) {
        List<String> printed = syntax.print(nodes);
        List<String> types = types(printed);
        List<GroupStage.Key> keys = new ArrayList<>();
        for (int i = 0; i < printed.size(); i++) {
            keys.add(new GroupStage.Key(printed.get(i), types.get(i)));
        }
        return keys;
    }

    private List<AggregateCall> calls(List<JsonNode> calls) {
        List<JsonNode> arguments = new ArrayList<>();
        List<JsonNode> filters = new ArrayList<>();
        calls.forEach(call -> {
            call.path("children").forEach(arguments::add);
            if (!Ast.isNull(call.path("filter"))) {
                filters.add(call.path("filter"));
            }
        });
        List<String> functions = calls.stream().map(AggregateCall::function).toList();
        List<String> printedArguments = syntax.print(arguments);
        List<String> argumentTypes = types(printedArguments);
        List<String> printedFilters = syntax.print(filters);
        List<AggregateCall> taken = new ArrayList<>();
        int argument = 0;
        int filter = 0;
        for (int i = 0; i < calls.size(); i++) {
            boolean hasArgument = !calls.get(i).path("children").isEmpty();
            boolean hasFilter = !Ast.isNull(calls.get(i).path("filter"));
            taken.add(new AggregateCall(
                    functions.get(i),
                    calls.get(i).path("distinct").asBoolean(),
                    hasArgument ? Optional.of(printedArguments.get(argument)) : Optional.empty(),
                    hasFilter ? Optional.of(printedFilters.get(filter)) : Optional.empty(),
                    hasArgument ? argumentTypes.get(argument) : ""));
            argument += hasArgument ? 1 : 0;
            filter += hasFilter ? 1 : 0;
        }
        return taken;
    }

    private String print(JsonNode expression) {
        return syntax.print(List.of(expression)).getFirst();
    }

    private List<String> types(List<String> expressions) {
        String empty = switch (from.build()) {
            case From.Scan scan -> session.rows(none(scan), false).sql();
            case From.Join join -> FromSql.rows(join, scan -> session.rows(none(scan), true));
        };
        return ViewCompiler.types(session, "(" + empty + ") AS source", expressions);
    }

    private TableRows none(From.Scan scan) {
        return query.from().tables().stream()
                .filter(table -> table.source().equals(scan.source()))
                .map(table -> TableRows.none(table.schema()))
                .findFirst()
                .orElseThrow();
    }

    private Stage rows(Optional<String> where, List<String> outputs) {
        return switch (from.build()) {
            case From.Scan scan -> new RowStage(scan.source(), where, outputs);
            case From.Join join -> {
                StateLayout layout = new StateLayout(columns, outputs);
                List<String> identity = layout.identity(join.ids());
                hidden = layout.hidden();
                yield new CombinedStage(join, where, outputs, identity);
            }
        };
    }
}
