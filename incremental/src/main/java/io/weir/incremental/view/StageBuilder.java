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
    private List<HiddenColumn> hidden = List.of();
    private Optional<String> reason = Optional.empty();

    StageBuilder(EngineSession session, Syntax syntax, Query query, List<OutputColumn> columns) {
        this.session = session;
        this.syntax = syntax;
        this.query = query;
        this.columns = columns;
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
        Optional<String> where = query.where().map(this::print);
        if (!query.grouped()) {
            return new RowStage(query.source(), where, syntax.print(query.items()));
        }
        Grouping grouping = new Grouping(query.keys(), query.resolver()::isAggregate);
        List<String> outputs =
                syntax.print(query.items().stream().map(grouping::split).toList());
        Optional<String> having = query.having().map(grouping::split).map(this::print);
        List<GroupStage.Key> keys = keys();
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
                query.source(), where, keys, measures.list(), aggregates, having, outputs, reason.isPresent(), stored);
    }

    private List<GroupStage.Key> keys() {
        List<String> printed = syntax.print(query.keys());
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
        return ViewCompiler.types(
                session, session.rows(TableRows.none(query.schema()), false).as("source"), expressions);
    }
}
