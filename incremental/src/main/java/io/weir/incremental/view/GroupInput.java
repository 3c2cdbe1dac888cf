package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Relation;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rows that a grouped stage brings together.
 *
 * @param delta what changed of them, if anything did
 * @param after all of them as they are now
 * @param nothing a change of no rows, for what has a row even of an empty source
 */
record GroupInput(Optional<Delta> delta, Supplier<Relation> after, Supplier<Delta> nothing) {
    static GroupInput of(StageContext context, Inputs inputs, From from) {
        return switch (from) {
            case From.Scan scan ->
                new GroupInput(
                        inputs.delta(scan.source()),
                        () -> context.session().rows(inputs.after(scan.source()), false),
                        () -> noRows(context.session()
                                .rows(TableRows.none(inputs.after(scan.source()).schema()), true)
                                .sql()));
            case From.Join join -> {
                FromChange change = new FromChanges(context, inputs).of(join);
                Supplier<Relation> after =
                        () -> new Relation("SELECT * FROM " + change.now().get());
                yield new GroupInput(
                        change.delta(), after, () -> noRows(after.get().sql() + " WHERE false"));
            }
        };
    }

    private static Delta noRows(String sql) {
        return new EngineDelta(new Relation(sql), Optional.empty(), 0);
    }
}
