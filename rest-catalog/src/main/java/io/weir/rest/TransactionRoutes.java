package io.weir.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.coordinator.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;

/** A commit to several tables: one request to the lake, so all of it is applied or none. */
final class TransactionRoutes {
    private TransactionRoutes() {}

    static List<Route> all() {
        return List.of(new Route(Endpoint.V1_COMMIT_TRANSACTION, TransactionRoutes::commit));
    }

    private static Answer commit(Call call) {
        JsonNode changes = call.body().get("table-changes");
        if (changes == null || !changes.isArray() || changes.isEmpty()) {
            throw HttpProblem.badRequest("table-changes is missing, empty or not a list");
        }
        List<TableChange> parsed = IntStream.range(0, changes.size())
                .mapToObj(i -> call.change(changes.get(i), "table-changes[" + i + "]"))
                .toList();
        List<Action> actions = new ArrayList<>();
        for (int i = 0; i < parsed.size(); i++) {
            actions.add(parsed.get(i).of(identifier(parsed.get(i), i)));
        }
        Optional<String> engine =
                parsed.stream().flatMap(change -> change.engine().stream()).findFirst();
        call.commit(actions, engine);
        return Answer.noContent();
    }

    private static TableIdentifier identifier(TableChange change, int i) {
        return change.identifier()
                .map(Names::require)
                .orElseThrow(() -> HttpProblem.badRequest("table-changes[%s].identifier is missing", i));
    }
}
