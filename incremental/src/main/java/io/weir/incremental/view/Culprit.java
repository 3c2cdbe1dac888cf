package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.engine.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the row a view's SQL fails on: the first that arrives for which some expression alone fails. It finds none where
 * the failure is of a whole group, such as a sum that is too large.
 */
final class Culprit {
    private static final Logger LOG = LoggerFactory.getLogger(Culprit.class);

    private final StageContext context;

    Culprit(StageContext context) {
        this.context = context;
    }

    Optional<Map<String, Object>> find(Optional<Delta> delta) {
        if (delta.isEmpty()) {
            return Optional.empty();
        }
        try {
            return first(delta.get().arriving());
        } catch (EngineException e) {
            LOG.debug("the row a view failed on could not be told", e);
            return Optional.empty();
        }
    }

    private Optional<Map<String, Object>> first(Relation arriving) {
        Optional<String> where;
        List<String> tried = new ArrayList<>();
        switch (context.plan().stage()) {
            case RowStage rows -> {
                where = rows.where();
                for (int i = 0; i < rows.outputs().size(); i++) {
                    tried.add(Sql.cast(
                            rows.outputs().get(i),
                            context.plan().columns().get(i).duckType()));
                }
            }
            case GroupStage groups -> {
                where = groups.where();
                groups.keys().forEach(key -> tried.add(key.sql()));
                groups.measures().stream()
                        .filter(measure -> !(measure instanceof Measure.Whole))
                        .forEach(measure -> tried.add(measure.argument()));
            }
        }
        String fails = Sql.join(tried.size(), " OR ", i -> fails(tried.get(i)));
        String guarded = where.map(condition -> "CASE WHEN " + fails(condition) + " THEN true WHEN " + condition
                        + " THEN " + (fails.isEmpty() ? "false" : fails) + " ELSE false END")
                .orElse(fails.isEmpty() ? "false" : fails);
        Map<String, Object> row = context.firstRow(
                "SELECT * EXCLUDE (__row_id) FROM " + arriving.as("source") + " WHERE " + guarded + " LIMIT 1");
        return row.isEmpty() ? Optional.empty() : Optional.of(row);
    }

    /** A struct is never NULL, unless making it failed. */
    private static String fails(String expression) {
        return "TRY({'v': " + expression + "}) IS NULL";
    }
}
