package io.weir.incremental.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.util.Optional;

/**
 * Where a statement's tables are exposed: in schemas that no catalog or schema of the engine's own is called, and under
 * a name that tells points in time apart.
 */
final class Exposure {
    private Exposure() {}

    static TableReference of(TableName name, JsonNode atClause) {
        Optional<TableReference.At> at = at(atClause);
        String suffix =
                at.map(point -> " at " + point.unit() + " " + point.value()).orElse("");
        return new TableReference(name, at, "lake:" + name.namespace(), name.table() + suffix);
    }

    private static Optional<TableReference.At> at(JsonNode clause) {
        if (clause.isMissingNode() || clause.isNull()) {
            return Optional.empty();
        }
        JsonNode constant = clause.path("expr");
        while (constant.path("class").asText().equals("CAST")) {
            constant = constant.path("child");
        }
        JsonNode value = constant.path("value").path("value");
        if (!constant.path("class").asText().equals("CONSTANT") || !value.isValueNode()) {
            throw new EngineException(
                    SqlState.SYNTAX_ERROR,
                    "AT takes a constant",
                    "write AT (VERSION => 42) or AT (TIMESTAMP => '2026-01-31T12:00:00Z')");
        }
        TableReference.At.Unit unit = switch (clause.path("unit").asText()) {
            case "VERSION" -> TableReference.At.Unit.VERSION;
            case "TIMESTAMP" -> TableReference.At.Unit.TIMESTAMP;
            default ->
                throw new EngineException(
                        SqlState.SYNTAX_ERROR,
                        "AT knows VERSION and TIMESTAMP, not "
                                + clause.path("unit").asText(),
                        "write AT (VERSION => 42)");
        };
        return Optional.of(new TableReference.At(unit, value.asText()));
    }
}
