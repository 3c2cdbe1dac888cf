package io.weir.incremental.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;

/** FROM as it was read: tables under labels that are all different, and joins whose conditions are resolved. */
sealed interface FromClause {
    /** What can be mentioned of it. */
    Names names();

    List<Table> tables();

    /** The clause over tables called by their labels. */
    JsonNode overLabels();

    /** The clause over the tables by their own names, each with its label as its alias. */
    JsonNode overSources();

    /**
     * A table or view.
     *
     * @param label what it is called in resolved texts
     * @param source its qualified name
     * @param node how it stands in the text
     * @param columns what each of its columns is in resolved expressions
     */
    record Table(String label, String source, Schema schema, JsonNode node, Map<String, JsonNode> columns, Names names)
            implements FromClause {
        @Override
        public List<Table> tables() {
            return List.of(this);
        }

        @Override
        public JsonNode overLabels() {
            return UnsupportedClauses.table(node, label);
        }

        @Override
        public JsonNode overSources() {
            List<String> parts = List.of(source.split("\\.(?=[^.]*$)", -1));
            return UnsupportedClauses.aliased(node, parts, label);
        }
    }

    /** Two sides; the condition is over the columns of both. */
    record Join(
            FromClause left,
            FromClause right,
            From.JoinKind kind,
            Optional<JsonNode> condition,
            JsonNode node,
            Names names)
            implements FromClause {
        @Override
        public List<Table> tables() {
            return Stream.concat(left.tables().stream(), right.tables().stream())
                    .toList();
        }

        Join with(FromClause newLeft, FromClause newRight, Optional<JsonNode> newCondition) {
            return new Join(newLeft, newRight, kind, newCondition, node, names);
        }

        @Override
        public JsonNode overLabels() {
            return over(left.overLabels(), right.overLabels());
        }

        @Override
        public JsonNode overSources() {
            return over(left.overSources(), right.overSources());
        }

        private JsonNode over(JsonNode newLeft, JsonNode newRight) {
            return Ast.join(node, newLeft, newRight, condition.orElseGet(Ast::yes));
        }
    }
}
