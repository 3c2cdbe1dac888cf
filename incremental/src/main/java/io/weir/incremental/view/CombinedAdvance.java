package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Relation;

/**
 * Moves a view of rows that several sources' rows are combined to. Rows that only arrive are new; where rows leave, they are
 * found in the view's files by their identity. A row keeps its row id while its identity stays.
 */
final class CombinedAdvance {
    private final StageContext context;
    private final ViewSettings settings;
    private final CombinedSql sql;
    private final RowFiles files;

    CombinedAdvance(StageContext context, ViewSettings settings, CombinedStage stage) {
        this.context = context;
        this.settings = settings;
        this.sql = new CombinedSql(context.plan(), stage, context.target());
        this.files = new RowFiles(context, settings, true);
    }

    StageResult run(Delta delta) {
        if (delta.leaving().isPresent()) {
            return replace(delta, delta.leaving().get());
        }
        String judged = sql.judged(delta.arriving());
        return delta.rows() > settings.directRows()
                ? files.direct(delta, sql.arrivals("(" + judged + ")"))
                : files.moved(delta, gathered(sql.arrivals("(" + judged + ")").from()));
    }

    private StageResult replace(Delta delta, Relation leaving) {
        String left = context.table(sql.judged(leaving));
        String arrived = context.table(sql.judged(delta.arriving()));
        TableRows before = context.target().before().get();
        String state = "(" + context.state(before).sql() + ")";
        return files.moved(delta, gathered("(" + sql.pairs(arrived, left, state) + ")"));
    }

    /** New rows have been given their ids once the moves are a table. */
    private Moves gathered(String moves) {
        return new Moves(context.table("SELECT * FROM " + moves));
    }
}
