package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Relation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What the sources of one stage did, and what they hold. Each is looked at once, and only if it is asked for. */
final class Inputs {
    private final EngineSession session;
    private final Map<String, SourceInput> sources;
    private final Function<String, Optional<Delta>> stages;
    private final Map<String, Optional<Delta>> deltas = new HashMap<>();
    private final Map<String, TableRows> after = new HashMap<>();

    /** @param stages the change of a view that moved in the same unit, by its id */
    Inputs(EngineSession session, Map<String, SourceInput> sources, Function<String, Optional<Delta>> stages) {
        this.session = session;
        this.sources = sources;
        this.stages = stages;
    }

    /** Empty where the source did not change. */
    Optional<Delta> delta(String source) {
        return deltas.computeIfAbsent(source, _ -> switch (sources.get(source).change()) {
            case Change.None none -> Optional.empty();
            case Change.Everything everything ->
                everything.rows().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Deltas(session)
                                .of(new Change.OfFiles(
                                        TableRows.none(everything.rows().schema()), everything.rows())));
            case Change.OfFiles files ->
                files.added().isEmpty() && files.removed().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Deltas(session).of(files));
            case Change.OfStage stage -> stages.apply(stage.viewId());
        });
    }

    /** Whether the source had no rows before. */
    boolean isWhole(String source) {
        return sources.get(source).change() instanceof Change.Everything;
    }

    /** All its rows as they are now. */
    TableRows after(String source) {
        return after.computeIfAbsent(source, _ -> sources.get(source).after().get());
    }

    /** All its rows as they are now, with {@code __row_id}. */
    Relation rows(String source) {
        return session.rows(after(source), true);
    }
}
