package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Relation;
import io.weir.incremental.engine.Rows;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a small grouped view on the heap: the change of each group is added to what is kept of it, and the view is written
 * whole. It does what {@link GroupAdvance} does, for the few views a {@link HeapPlan} is for, without the time the engine
 * takes to plan a statement; whatever does not go through here is left to it, errors too.
 */
final class HeapAdvance {
    private static final Logger LOG = LoggerFactory.getLogger(HeapAdvance.class);

    private final StageContext context;
    private final ViewSettings settings;
    private final HeapPlan plan;
    private final GroupSql sql;
    private final HeapChanges changes;
    private final Supplier<Relation> after;

    HeapAdvance(StageContext context, ViewSettings settings, HeapPlan plan, Supplier<Relation> after) {
        this.context = context;
        this.settings = settings;
        this.plan = plan;
        this.sql = new GroupSql(context.plan(), plan.stage(), false);
        this.changes = new HeapChanges(context, plan, sql);
        this.after = after;
    }

    /** What became of the view, and its state after that. */
    record Advanced(StageResult result, HeapState state) {}

    /**
     * Moves the view, or leaves everything as it was and answers nothing: then it is the engine's.
     *
     * @param known the state, where it is at hand
     */
    Optional<Advanced> run(Optional<HeapState> known, Delta delta) {
        try {
            Optional<HeapState> state = known.or(this::load);
            return state.isEmpty() || (state.get().size() == 0 && delta.rows() > settings.directRows())
                    ? Optional.empty()
                    : run(state.get(), delta);
        } catch (EngineException e) {
            return leftToEngine(e);
        } catch (ArithmeticException | HeapRoom.FullException e) {
            LOG.debug("a view is left to the engine", e);
            return Optional.empty();
        }
    }

    /** What was stopped at its deadline would only be stopped again. */
    static <T> Optional<T> leftToEngine(EngineException e) {
        if (e.state() == SqlState.QUERY_CANCELED) {
            throw e;
        }
        LOG.debug("a view is left to the engine", e);
        return Optional.empty();
    }

    private Optional<HeapState> load() {
        TableRows before = context.target().before().get();
        if (before.recordCount() > settings.rewriteRows()) {
            return Optional.empty();
        }
        LinkedHashMap<List<Object>, HeapGroup> groups = new LinkedHashMap<>();
        HeapRoom room = new HeapRoom();
        if (before.recordCount() > 0) {
            try (Rows rows = context.session().query(stored(before))) {
                while (rows.next()) {
                    HeapGroup group = group(rows, room);
                    groups.put(group.key(), group);
                }
            }
        }
        return Optional.of(HeapState.of(context.target().stateToken(), groups));
    }

    private String stored(TableRows before) {
        GroupStage.Stored stored = plan.stage().stored();
        return "SELECT "
                + Sql.list(
                        Sql.join(
                                plan.keys().size(),
                                ", ",
                                i -> plan.keys()
                                        .get(i)
                                        .given(Sql.cast(
                                                Sql.name(stored.keys().get(i)),
                                                plan.stage().keys().get(i).duckType()))),
                        Sql.name(stored.count().orElseThrow()),
                        Sql.join(
                                plan.measures().size(),
                                ", ",
                                i -> plan.measures()
                                        .get(i)
                                        .given(Sql.cast(
                                                Sql.name(stored.measures().get(i)),
                                                plan.stage().measures().get(i).duckType()))),
                        Sql.join(
                                plan.columns().size(),
                                ", ",
                                i -> plan.columns()
                                        .get(i)
                                        .type()
                                        .given(Sql.name(
                                                context.plan().columns().get(i).name()))),
                        "__row_id, __seq")
                + " FROM (" + context.state(before).sql() + ") ORDER BY __row_id";
    }

    private HeapGroup group(Rows rows, HeapRoom room) {
        int at = 0;
        Object[] key = new Object[plan.keys().size()];
        for (int i = 0; i < key.length; i++) {
            key[i] = room.take(plan.keys().get(i).hold(rows.value(at++)));
        }
        long count = rows.number(at++);
        Object[] measures = new Object[plan.measures().size()];
        for (int i = 0; i < measures.length; i++) {
            Object value = room.take(plan.measures().get(i).hold(rows.value(at++)));
            measures[i] = value == null ? HeapMeasures.zero(plan, i) : value;
        }
        Object[] shown = new Object[plan.columns().size()];
        for (int i = 0; i < shown.length; i++) {
            shown[i] = room.take(plan.columns().get(i).type().hold(rows.value(at++)));
        }
        return new HeapGroup(Arrays.asList(key), count, measures, shown, rows.number(at++), rows.number(at));
    }

    private Optional<Advanced> run(HeapState state, Delta delta) {
        if (delta.rows() == 0 && state.size() > 0) {
            return Optional.of(new Advanced(context.unchanged(context.nothing(), 0), state));
        }
        long most = 2 * settings.rewriteRows();
        Optional<Map<List<Object>, HeapChange>> touched = changes.of(delta, most);
        if (touched.isEmpty()) {
            return Optional.empty();
        }
        boolean lost = losesExtreme(state, touched.get());
        Optional<Map<List<Object>, HeapChange>> again = lost ? again(delta, most) : Optional.empty();
        if (lost && again.isEmpty()) {
            return Optional.empty();
        }
        HeapMove move = new HeapMove(context, plan, state);
        touched.get().forEach((key, change) -> move.touch(key, change, again));
        if (move.rowsAfter() > settings.rewriteRows()) {
            return Optional.empty();
        }
        return Optional.of(
                move.isNothing()
                        ? new Advanced(context.unchanged(context.nothing(), delta.rows()), state)
                        : move.written(delta.rows()));
    }

    private boolean losesExtreme(HeapState state, Map<List<Object>, HeapChange> touched) {
        return touched.entrySet().stream().anyMatch(entry -> {
            HeapGroup group = state.groups().get(entry.getKey());
            HeapChange change = entry.getValue();
            boolean lives = plan.stage().isGlobal() || (group == null ? 0 : group.rows()) + change.rows() > 0;
            return lives && HeapMeasures.isLost(plan, group == null ? null : group.measures(), change);
        });
    }

    /** All the groups that are touched, from the source as it is now. */
    private Optional<Map<List<Object>, HeapChange>> again(Delta delta, long most) {
        return changes.again(sql.fresh(after.get(), Optional.of(sql.keysOf(delta))), most);
    }
}
