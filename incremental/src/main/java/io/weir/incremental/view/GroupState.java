package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Quoting;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A grouped view's rows with their state during one advance: the cached copy where it is that state, a new copy where
 * the view is small enough to have one, else the view's files.
 */
final class GroupState {
    private final StageContext context;
    private final Supplier<String> names;
    private final Optional<TableRows> files;
    private Optional<StateCache.Copy> copy;

    private GroupState(
            StageContext context, Supplier<String> names, Optional<TableRows> files, Optional<StateCache.Copy> copy) {
        this.context = context;
        this.names = names;
        this.files = files;
        this.copy = copy;
    }

    /** @param names of tables that are not there yet */
    static GroupState open(
            StageContext context, Supplier<String> names, ViewSettings settings, Optional<StateCache.Copy> known) {
        if (known.isPresent()) {
            return new GroupState(context, names, Optional.empty(), known);
        }
        TableRows before = context.target().before().get();
        GroupState fromFiles = new GroupState(context, names, Optional.of(before), Optional.empty());
        boolean copied = before.recordCount() <= Math.max(settings.rewriteRows(), settings.cachedRowsPerView());
        if (copied) {
            fromFiles.copy = Optional.of(fromFiles.load(before));
        }
        return fromFiles;
    }

    private StateCache.Copy load(TableRows before) {
        String table = names.get();
        context.session()
                .execute(
                        "CREATE TABLE " + table + " AS " + context.state(before).sql());
        long rows = context.count(table);
        return new StateCache.Copy(context.target().stateToken(), table, rows, Afterwards.NOTHING);
    }

    /** The copy as this advance leaves it. */
    Optional<StateCache.Copy> copy() {
        return copy;
    }

    /** Whether the state is in the engine, so that looking twice costs little. */
    boolean isCopied() {
        return copy.isPresent();
    }

    boolean isEmpty() {
        return rows() == 0;
    }

    /** Rows the view has; where it has no copy, rows its files have, deleted ones too. */
    long rows() {
        return copy.map(StateCache.Copy::rows)
                .orElseGet(() -> files.map(TableRows::recordCount).orElse(0L));
    }

    /** The rows, as something to select from. */
    String relation() {
        return copy.map(StateCache.Copy::table)
                .orElseGet(() -> "(" + context.state(files.orElseThrow()).sql() + ")");
    }

    /** How the next copy is made: where it will be, once the work is done. Empty: there is to be none. */
    record Next(Optional<String> table, Consumer<EngineSession> work) {}

    /** The rows after this advance. Only a view that has a copy is small enough to be written whole. */
    String after(Moves moves) {
        return "SELECT " + context.stateColumns() + ", __row_id, __seq FROM "
                + copy.orElseThrow().table() + " s WHERE __row_id NOT IN " + moves.replaced() + " UNION ALL "
                + context.stored(moves, "ok");
    }

    /** A new copy of the rows {@link #after} this advance, beside the old one. */
    Next replace(Moves moves) {
        String table = names.get();
        String create = "CREATE TABLE " + table + " AS SELECT *, " + placed() + " FROM (" + after(moves) + ")";
        return new Next(Optional.of(table), session -> session.execute(create));
    }

    /** Brings the copy, where there is one, to the state after this advance. */
    Next move(Moves moves) {
        if (copy.isEmpty()) {
            return new Next(Optional.empty(), session -> {});
        }
        String table = copy.get().table();
        String delete = "DELETE FROM " + table + " WHERE __row_id IN " + moves.replaced();
        String insert = "INSERT INTO " + table + " BY NAME SELECT *, " + placed() + " FROM ("
                + context.stored(moves, "ok") + ")";
        return new Next(Optional.of(table), session -> {
            session.execute(delete);
            session.execute(insert);
        });
    }

    /** From now on the copy is the next one. */
    void becomes(Next next, long rows, Afterwards made) {
        copy = next.table().map(table -> new StateCache.Copy(context.target().nextStateToken(), table, rows, made));
    }

    /** Where a row will be in the file, which is written in this order. */
    private String placed() {
        return Quoting.text(context.target().outputLocation())
                + " AS __file, row_number() OVER (ORDER BY __row_id) - 1 AS __pos";
    }
}
