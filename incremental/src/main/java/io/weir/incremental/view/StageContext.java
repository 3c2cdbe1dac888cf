package io.weir.incremental.view;

import io.weir.incremental.FileRows;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Relation;
import io.weir.incremental.engine.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/** One advance of one view: what is common to all kinds of stages. */
final class StageContext {
    private final Workspace workspace;
    private final EngineSession session;
    private final StageRequest request;
    private final ViewColumns columns;

    StageContext(Workspace workspace, StageRequest request) {
        this.workspace = workspace;
        this.session = workspace.session();
        this.request = request;
        this.columns = new ViewColumns(request.plan());
    }

    ViewPlan plan() {
        return request.plan();
    }

    ViewTarget target() {
        return request.target();
    }

    EngineSession session() {
        return session;
    }

    ViewColumns columns() {
        return columns;
    }

    /** A table of the query's rows. */
    String table(String sql) {
        return workspace.table(sql);
    }

    long count(String table) {
        return numbers("SELECT count(*) FROM " + table)[0];
    }

    /** The outcome that leaves the view's files as they are. */
    StageResult unchanged(Tally tally, long rowsIn) {
        return StageResult.of(new StageOutcome.Unchanged(counts(tally), rowsIn));
    }

    Tally nothing() {
        return Tally.ofNew(0, new long[plan().expectations().size()]);
    }

    /** The numbers in the query's one row. */
    long[] numbers(String sql) {
        try (Rows rows = session.query(sql)) {
            rows.next();
            long[] numbers = new long[rows.columns().size()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = rows.number(i);
            }
            return numbers;
        }
    }

    /** The view's own columns and its hidden state. */
    Schema stateSchema() {
        List<NestedField> fields = new ArrayList<>(target().schema().columns());
        plan().hidden().forEach(column -> fields.add(column.field()));
        return new Schema(fields);
    }

    /** The view's rows as they are in its files, with {@code __row_id, __seq, __file, __pos}. */
    Relation state(TableRows before) {
        return session.rows(new TableRows(stateSchema(), before.files()), true);
    }

    /** Names of the view's columns and of its state, as they are in its files. */
    String stateColumns() {
        return Sql.list(
                Sql.join(
                        plan().columns().size(),
                        ", ",
                        i -> Sql.name(plan().columns().get(i).name())),
                hiddenColumns());
    }

    private String hiddenColumns() {
        return Sql.join(
                plan().hidden().size(),
                ", ",
                i -> Sql.name(plan().hidden().get(i).name()));
    }

    /** Rows of the moves, under the names they have in the view's files, with {@code __row_id, __seq}. */
    String stored(Moves moves, String condition) {
        return "SELECT " + Sql.list(columns.named("c"), hiddenColumns(), "rid AS __row_id, seq AS __seq") + " FROM "
                + moves.from() + " WHERE " + condition;
    }

    /** Writes rows that {@link #stored} or a state gives, from tables, beside what follows; no file when there are none. */
    Optional<PendingFile> write(String stored, long rows) {
        return rows == 0 ? Optional.empty() : Optional.of(write(stored));
    }

    /** Writes rows beside what follows, even if there are none. What they are read from must be seen by all sessions. */
    PendingFile write(String stored) {
        return workspace.write(writer -> write(stored, writer));
    }

    /** Has something done that nothing waits for yet. */
    Afterwards afterwards(Consumer<EngineSession> work) {
        return workspace.afterwards(work);
    }

    /** Whether files are written beside the unit, and this query reads nothing that only the unit's session sees. */
    boolean mayWriteEarly(String sql) {
        return workspace.isAhead() && !session.readsOwnTables(sql);
    }

    /** Writes rows at once, from whatever the unit's session can read. */
    WrittenFile writeNow(String stored) {
        return write(stored, session);
    }

    /** All that a file of the view holds. */
    Schema fileSchema() {
        List<NestedField> fields = new ArrayList<>(stateSchema().columns());
        fields.add(RowIdentity.ROW_ID_FIELD);
        fields.add(RowIdentity.LAST_UPDATED_SEQUENCE_FIELD);
        return new Schema(fields);
    }

    /** Writes a file without the engine, beside what follows. */
    PendingFile writeFromHeap(Supplier<WrittenFile> work) {
        return workspace.write(writer -> work.get());
    }

    /** A change of the view, of which no row is there yet. */
    HeapDelta heapDelta(List<HeapType> types) {
        return new HeapDelta(workspace, plan().columns(), types);
    }

    private WrittenFile write(String stored, EngineSession writer) {
        String named = "SELECT *, __row_id AS " + Sql.name(RowIdentity.ROW_ID_FIELD.name()) + ", __seq AS "
                + Sql.name(RowIdentity.LAST_UPDATED_SEQUENCE_FIELD.name()) + " FROM (" + stored + ")";
        return writer.write(named, fileSchema(), target().output());
    }

    /** The rows of the file this advance has written, as what arrives at the stages that follow. */
    Relation written(WrittenFile file) {
        FileRows rows = FileRows.of(
                target().outputLocation(),
                file.local(),
                file.recordCount(),
                OptionalLong.empty(),
                target().sequenceNumber());
        String all = session.rows(new TableRows(target().schema(), List.of(rows)), true)
                .as("f");
        return new Relation("SELECT "
                + Sql.join(
                        plan().columns().size(),
                        ", ",
                        i -> Sql.name(plan().columns().get(i).name()))
                + ", __row_id FROM " + all);
    }

    Tally tally(Moves moves) {
        long[] numbers = numbers("SELECT "
                + Sql.list(
                        "count(*), count(row_id), count(*) FILTER (WHERE ok)",
                        "count(*) FILTER (WHERE " + Moves.ARRIVED + ")",
                        "count(*) FILTER (WHERE ok AND born)",
                        "count(*) FILTER (WHERE " + Moves.LEFT + ")",
                        broken())
                + " FROM " + moves.from());
        return new Tally(
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5],
                Arrays.copyOfRange(numbers, 6, numbers.length));
    }

    private String broken() {
        return Sql.join(
                plan().expectations().size(),
                ", ",
                i -> "count(*) FILTER (WHERE alive AND changed AND NOT x" + i + ")");
    }

    /** The refusal, where a row breaks an expectation that refuses its commit. */
    Optional<StageOutcome> violated(Moves moves, Tally tally) {
        for (int i = 0; i < plan().expectations().size(); i++) {
            Expectation expectation = plan().expectations().get(i);
            if (expectation.onViolation() == OnViolation.FAIL && tally.broken()[i] > 0) {
                String row = "SELECT " + columns.named("c") + " FROM " + moves.from()
                        + " WHERE alive AND changed AND NOT x" + i + " LIMIT 1";
                return Optional.of(
                        new StageOutcome.Violated(expectation.name(), expectation.condition(), firstRow(row)));
            }
        }
        return Optional.empty();
    }

    /** The query's first row by column; empty when it has none. */
    Map<String, Object> firstRow(String sql) {
        Map<String, Object> row = new LinkedHashMap<>();
        try (Rows rows = session.query(sql)) {
            if (rows.next()) {
                for (int i = 0; i < rows.columns().size(); i++) {
                    row.put(rows.columns().get(i).name(), rows.value(i));
                }
            }
        }
        return row;
    }

    List<ExpectationCount> counts(Tally tally) {
        List<ExpectationCount> counts = new ArrayList<>();
        for (int i = 0; i < plan().expectations().size(); i++) {
            Expectation expectation = plan().expectations().get(i);
            if (expectation.onViolation() != OnViolation.FAIL) {
                counts.add(new ExpectationCount(expectation.name(), tally.broken()[i]));
            }
        }
        return counts;
    }

    /** Positions by file, of a query that gives {@code file, pos}. */
    Map<String, long[]> positions(String query) {
        Map<String, long[]> positions = new LinkedHashMap<>();
        try (Rows rows = session.query(query + " ORDER BY ALL")) {
            String file = null;
            List<Long> gathered = new ArrayList<>();
            while (rows.next()) {
                String next = (String) rows.value(0);
                if (file != null && !file.equals(next)) {
                    positions.put(
                            file, gathered.stream().mapToLong(Long::longValue).toArray());
                    gathered.clear();
                }
                file = next;
                gathered.add(rows.number(1));
            }
            if (file != null) {
                positions.put(file, gathered.stream().mapToLong(Long::longValue).toArray());
            }
        }
        return positions;
    }
}
