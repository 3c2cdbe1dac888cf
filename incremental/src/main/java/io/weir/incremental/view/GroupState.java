package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.Quoting;
import java.util.Optional;

/**
 * A grouped view's rows with their state during one advance: the cached copy where it is that state, a new copy where
 * the view is small enough to have one, else the view's files.
 */
final class GroupState {
    private final StageContext context;
    private final StateCache cache;
    private final Optional<TableRows> files;
    private Optional<StateCache.Copy> copy;

    private GroupState(
            StageContext context, StateCache cache, Optional<TableRows> files, Optional<StateCache.Copy> copy) {
        this.context = context;
        this.cache = cache;
        this.files = files;
        this.copy = copy;
    }

    static GroupState open(
            StageContext context, StateCache cache, ViewSettings settings, Optional<StateCache.Copy> known) {
        if (known.isPresent()) {
            return new GroupState(context, cache, Optional.empty(), known);
        }
        TableRows before = context.target().before().get();
        GroupState fromFiles = new GroupState(context, cache, Optional.of(before), Optional.empty());
        boolean copied = before.recordCount() <= Math.max(settings.rewriteRows(), settings.cachedRowsPerView());
        if (copied) {
            fromFiles.copy = Optional.of(fromFiles.load(before));
        }
        return fromFiles;
    }

    private StateCache.Copy load(TableRows before) {
        String table = cache.newTable();
        context.session()
                .execute(
                        "CREATE TABLE " + table + " AS " + context.state(before).sql());
        long rows = context.count(table);
        return new StateCache.Copy(context.target().stateToken(), table, rows, rows);
    }

    /** The copy as this advance leaves it. */
    Optional<StateCache.Copy> copy() {
        return copy;
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

    /** A new copy, in the order its rows are to be written in; the old one is dropped. */
    String replace(Moves moves, long rows) {
        String next = cache.newTable();
        String kept = "SELECT " + context.stateColumns() + ", __row_id, __seq FROM " + relation()
                + " s WHERE __row_id NOT IN " + moves.replaced();
        context.session()
                .execute("CREATE TABLE " + next + " AS SELECT *, " + placed("") + " FROM (" + kept + " UNION ALL "
                        + context.stored(moves, "ok") + ")");
        copy.ifPresent(old -> context.session().execute("DROP TABLE " + old.table()));
        copy = Optional.of(new StateCache.Copy(context.target().nextStateToken(), next, rows, rows));
        return next;
    }

    /** Brings the copy, where there is one, to the state after this advance. */
    void move(Moves moves, long added, long rows) {
        if (copy.isEmpty()) {
            return;
        }
        StateCache.Copy old = copy.get();
        context.session().execute("DELETE FROM " + old.table() + " WHERE __row_id IN " + moves.replaced());
        context.session()
                .execute("INSERT INTO " + old.table() + " BY NAME SELECT *, " + placed("ORDER BY __row_id") + " FROM ("
                        + context.stored(moves, "ok") + ")");
        copy = Optional.of(
                new StateCache.Copy(context.target().nextStateToken(), old.table(), rows, old.rowsWritten() + added));
    }

    /** Where a row will be in the file that is being written in this order. */
    private String placed(String order) {
        return Quoting.text(context.target().outputLocation()) + " AS __file, row_number() OVER (" + order
                + ") - 1 AS __pos";
    }
}
