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
    private final Inputs inputs;

    Culprit(StageContext context, Inputs inputs) {
        this.context = context;
        this.inputs = inputs;
    }

    Optional<Map<String, Object>> find() {
        try {
            return switch (context.plan().stage()) {
                case RowStage rows -> find(inputs.delta(rows.source()), "__row_id");
                case CombinedStage rows -> find(rows.from());
                case GroupStage groups -> find(groups.from());
            };
        } catch (EngineException e) {
            LOG.debug("the row a view failed on could not be told", e);
            return Optional.empty();
        }
    }

    private Optional<Map<String, Object>> find(From from) {
        return switch (from) {
            case From.Scan scan -> find(inputs.delta(scan.source()), "__row_id");
            case From.Join join ->
                find(new FromChanges(context, inputs).of(join).delta(), FromSql.ids(join.ids()));
        };
    }

    private Optional<Map<String, Object>> find(Optional<Delta> delta, String ids) {
        return delta.flatMap(change -> first(change.arriving(), ids));
    }

    private Optional<Map<String, Object>> first(Relation arriving, String ids) {
        Optional<String> where;
        List<String> tried = new ArrayList<>();
        switch (context.plan().stage()) {
            case RowStage rows -> {
                where = rows.where();
                tried.addAll(casts(rows.outputs()));
            }
            case CombinedStage rows -> {
                where = rows.where();
                tried.addAll(casts(rows.outputs()));
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
                "SELECT * EXCLUDE (" + ids + ") FROM " + arriving.as("source") + " WHERE " + guarded + " LIMIT 1");
        return row.isEmpty() ? Optional.empty() : Optional.of(row);
    }

    private List<String> casts(List<String> outputs) {
        List<String> casts = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            casts.add(Sql.cast(outputs.get(i), context.plan().columns().get(i).duckType()));
        }
        return casts;
    }

    /** A struct is never NULL, unless making it failed. */
    private static String fails(String expression) {
        return "TRY({'v': " + expression + "}) IS NULL";
    }
}
