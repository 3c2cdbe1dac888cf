package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.FileRows;
import io.weir.incremental.PositionDeletes;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.EngineSettings;
import io.weir.incremental.engine.Relation;
import io.weir.incremental.engine.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Tables and views made of real Parquet files, with commits that move the views, and nothing of a lake besides: it
 * applies what the stages answer as a lake would.
 */
final class TestLake implements AutoCloseable {
    final Engine engine;
    final ViewEngine views;
    private final Path folder;
    private final Map<String, TestTable> tables = new LinkedHashMap<>();
    private final Map<String, View> flow = new LinkedHashMap<>();
    private long sequence = 1;
    private long files;

    /** A table's files and what it gives out next. */
    static final class TestTable {
        final Schema schema;
        final Map<String, FileRows> files = new LinkedHashMap<>();
        long nextRowId;
        long token;

        TestTable(Schema schema) {
            this.schema = schema;
        }

        TableRows rows() {
            return new TableRows(schema, List.copyOf(files.values()));
        }
    }

    /** A view and its expectations' counts. */
    static final class View {
        final String text;
        final ViewPlan plan;
        final TestTable table;
        final Map<String, Long> failedRows = new LinkedHashMap<>();

        View(String text, ViewPlan plan) {
            this.text = text;
            this.plan = plan;
            this.table = new TestTable(plan.schema());
        }
    }

    TestLake(Path folder, ViewSettings settings) {
        this(engine(folder), folder, settings);
    }

    static Engine engine(Path folder) {
        return Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
    }

    TestLake(Engine engine, Path folder, ViewSettings settings) {
        this.folder = folder;
        this.engine = engine;
        this.views = new ViewEngine(engine, settings);
    }

    TestTable createTable(String name, Schema schema) {
        TestTable table = new TestTable(schema);
        tables.put(name, table);
        return table;
    }

    /** Makes a view and fills it; answers what its fill came to. */
    StageOutcome createView(String name, String sql, Constraint... constraints) {
        Map<String, Schema> schemas = new HashMap<>();
        tables.forEach((known, table) -> schemas.put(known, table.schema));
        ViewPlan plan = new ViewCompiler(engine)
                .compile(new ViewDefinition(name, sql, Optional.empty(), List.of(constraints), Map.of()), schemas);
        View view = new View(sql, plan);
        Map<String, SourceInput> inputs = new HashMap<>();
        for (String source : plan.sources()) {
            TableRows rows = tables.get(source).rows();
            inputs.put(source, new SourceInput(new Change.Everything(rows), () -> rows));
        }
        try (UnitOfWork unit = views.begin()) {
            StageOutcome outcome = unit.advance(request(name, view, inputs));
            if (apply(view, outcome)) {
                tables.put(name, view.table);
                flow.put(name, view);
            }
            unit.accept();
            if (outcome instanceof StageOutcome.Failed failed) {
                throw new IllegalStateException(name + " could not be filled: " + failed);
            }
            return outcome;
        }
    }

    View view(String name) {
        return flow.get(name);
    }

    List<String> viewNames() {
        return List.copyOf(flow.keySet());
    }

    /** Tables and views. */
    List<String> tableNames() {
        return List.copyOf(tables.keySet());
    }

    TestTable table(String name) {
        return tables.get(name);
    }

    void dropView(String name) {
        flow.remove(name);
        tables.remove(name);
    }

    private StageRequest request(String name, View view, Map<String, SourceInput> inputs) {
        Path output = newFile();
        ViewTarget target = new ViewTarget(
                view.table.schema,
                view.table::rows,
                name + view.table.token,
                name + (view.table.token + 1),
                view.table.nextRowId,
                sequence,
                output,
                output.toString());
        return new StageRequest(name, view.plan, inputs, target);
    }

    private Path newFile() {
        return folder.resolve("f" + files++ + ".parquet");
    }

    private boolean apply(View view, StageOutcome outcome) {
        return switch (outcome) {
            case StageOutcome.Unchanged unchanged -> {
                count(view, unchanged.expectations());
                yield true;
            }
            case StageOutcome.Moved moved -> {
                count(view, moved.expectations());
                if (moved.replacesAll()) {
                    view.table.files.clear();
                }
                moved.deletedPositions().forEach((location, positions) -> {
                    FileRows file = view.table.files.get(location);
                    view.table.files.put(location, deleted(file, positions));
                });
                moved.added().ifPresent(file -> add(view.table, file.await(), OptionalLong.empty()));
                view.table.nextRowId += moved.rowIdsAllocated();
                view.table.token++;
                yield true;
            }
            case StageOutcome.Violated violated -> false;
            case StageOutcome.Failed failed -> false;
        };
    }

    private static void count(View view, List<ExpectationCount> counts) {
        counts.forEach(count -> view.failedRows.merge(count.expectation(), count.failedRows(), Long::sum));
    }

    private FileRows add(TestTable table, WrittenFile file, OptionalLong firstRowId) {
        String location = file.local().toString();
        FileRows rows = FileRows.of(location, file.local(), file.recordCount(), firstRowId, sequence);
        table.files.put(location, rows);
        return rows;
    }

    private static FileRows deleted(FileRows file, long[] positions) {
        List<PositionDeletes> deletes = new ArrayList<>(file.positionDeletes());
        deletes.add(new PositionDeletes.Positions(positions));
        return new FileRows(
                file.location(),
                file.local(),
                file.recordCount(),
                file.firstRowId(),
                file.sequenceNumber(),
                deletes,
                file.equalityDeletes());
    }

    Commit begin() {
        return new Commit();
    }

    /** Writes to tables that become one commit. */
    final class Commit {
        private final Map<String, Map<String, FileRows>> before = new LinkedHashMap<>();

        private Map<String, FileRows> touch(String name) {
            return before.computeIfAbsent(name, table -> new LinkedHashMap<>(tables.get(table).files));
        }

        Commit insert(String name, String select) {
            touch(name);
            TestTable table = tables.get(name);
            try (EngineSession session = engine.session()) {
                WrittenFile file = session.write(select, table.schema, newFile());
                if (file.recordCount() > 0) {
                    add(table, file, OptionalLong.of(table.nextRowId));
                    table.nextRowId += file.recordCount();
                }
            }
            return this;
        }

        Commit delete(String name, String where) {
            touch(name);
            TestTable table = tables.get(name);
            try (EngineSession session = engine.session()) {
                deletePositions(
                        table,
                        positions(
                                session,
                                "SELECT __file, __pos FROM "
                                        + session.rows(table.rows(), true).as("t") + " WHERE " + where
                                        + " ORDER BY ALL"));
            }
            return this;
        }

        /** {@code set} is a REPLACE list. */
        Commit update(String name, String set, String where) {
            touch(name);
            TestTable table = tables.get(name);
            List<NestedField> fields = new ArrayList<>(table.schema.columns());
            fields.add(RowIdentity.ROW_ID_FIELD);
            try (EngineSession session = engine.session()) {
                String rows = session.rows(table.rows(), true).as("t");
                WrittenFile file = session.write(
                        "SELECT * REPLACE (" + set + "), __row_id AS _row_id FROM " + rows + " WHERE " + where,
                        new Schema(fields),
                        newFile());
                deletePositions(
                        table,
                        positions(session, "SELECT __file, __pos FROM " + rows + " WHERE " + where + " ORDER BY ALL"));
                if (file.recordCount() > 0) {
                    add(table, file, OptionalLong.empty());
                }
            }
            return this;
        }

        /** Copy-on-write: every file of the table becomes one new file, its rows the same. */
        Commit rewrite(String name) {
            touch(name);
            TestTable table = tables.get(name);
            List<NestedField> fields = new ArrayList<>(table.schema.columns());
            fields.add(RowIdentity.ROW_ID_FIELD);
            try (EngineSession session = engine.session()) {
                String rows = session.rows(table.rows(), true).as("t");
                WrittenFile file =
                        session.write("SELECT *, __row_id AS _row_id FROM " + rows, new Schema(fields), newFile());
                table.files.clear();
                add(table, file, OptionalLong.empty());
            }
            return this;
        }

        private void deletePositions(TestTable table, Map<String, List<Long>> positions) {
            positions.forEach((location, gone) -> {
                FileRows file = table.files.get(location);
                table.files.put(
                        location,
                        deleted(file, gone.stream().mapToLong(Long::longValue).toArray()));
            });
        }

        private Map<String, List<Long>> positions(EngineSession session, String sql) {
            Map<String, List<Long>> positions = new LinkedHashMap<>();
            try (Rows rows = session.query(sql)) {
                while (rows.next()) {
                    positions
                            .computeIfAbsent((String) rows.value(0), location -> new ArrayList<>())
                            .add(rows.number(1));
                }
            }
            return positions;
        }

        /** Moves every view; a refusal or failure takes the whole commit back and is answered. */
        Optional<StageOutcome> commit() {
            sequence++;
            Map<String, Saved> saved = new LinkedHashMap<>();
            flow.forEach((name, view) -> saved.put(name, new Saved(view)));
            if (sequence % 2 == 0) {
                if (ahead()) {
                    return Optional.empty();
                }
                saved.values().forEach(Saved::restore);
            }
            Optional<StageOutcome> refused = stepByStep();
            if (refused.isPresent()) {
                saved.values().forEach(Saved::restore);
                before.forEach((name, files) -> {
                    tables.get(name).files.clear();
                    tables.get(name).files.putAll(files);
                });
            }
            return refused;
        }

        private Optional<StageOutcome> stepByStep() {
            try (UnitOfWork unit = views.begin()) {
                for (Map.Entry<String, View> entry : flow.entrySet()) {
                    StageOutcome outcome = advance(unit, entry, name -> {});
                    if (!apply(entry.getValue(), outcome)) {
                        return Optional.of(outcome);
                    }
                }
                unit.accept();
                return Optional.empty();
            }
        }

        /** No outcome is applied before all stages have moved, or a later one asks for the rows. False: it does not go. */
        private boolean ahead() {
            Map<String, Runnable> unsettled = new LinkedHashMap<>();
            try (UnitOfWork unit = views.beginAhead()) {
                for (Map.Entry<String, View> entry : flow.entrySet()) {
                    StageOutcome outcome = advance(unit, entry, name -> settle(unsettled, name));
                    unsettled.put(entry.getKey(), () -> apply(entry.getValue(), outcome));
                    if (outcome instanceof StageOutcome.Violated || outcome instanceof StageOutcome.Failed) {
                        return false;
                    }
                }
                unsettled.values().forEach(Runnable::run);
                unit.accept();
                return true;
            } catch (EngineException e) {
                return false;
            }
        }

        private void settle(Map<String, Runnable> unsettled, String name) {
            Runnable apply = unsettled.replace(name, () -> {});
            if (apply != null) {
                apply.run();
            }
        }

        private StageOutcome advance(UnitOfWork unit, Map.Entry<String, View> entry, Consumer<String> settle) {
            View view = entry.getValue();
            Map<String, SourceInput> inputs = new HashMap<>();
            for (String source : view.plan.sources()) {
                inputs.put(source, new SourceInput(change(source), () -> {
                    settle.accept(source);
                    return tables.get(source).rows();
                }));
            }
            return unit.advance(request(entry.getKey(), view, inputs));
        }

        private Change change(String source) {
            if (flow.containsKey(source)) {
                return new Change.OfStage(source);
            }
            if (!before.containsKey(source)) {
                return new Change.None();
            }
            TableRows old = new TableRows(
                    tables.get(source).schema, List.copyOf(before.get(source).values()));
            return Change.between(old, tables.get(source).rows());
        }
    }

    /** A view as it was. */
    private static final class Saved {
        private final View view;
        private final Map<String, FileRows> files;
        private final Map<String, Long> failedRows;
        private final long nextRowId;
        private final long token;

        Saved(View view) {
            this.view = view;
            this.files = new LinkedHashMap<>(view.table.files);
            this.failedRows = new LinkedHashMap<>(view.failedRows);
            this.nextRowId = view.table.nextRowId;
            this.token = view.table.token;
        }

        void restore() {
            view.table.files.clear();
            view.table.files.putAll(files);
            view.failedRows.clear();
            view.failedRows.putAll(failedRows);
            view.table.nextRowId = nextRowId;
            view.table.token = token;
        }
    }

    /** The rows of a table or view, in the order of their values. */
    List<List<Object>> rows(String name) {
        try (EngineSession session = engine.session()) {
            return all(session, session.rows(tables.get(name).rows(), false));
        }
    }

    /** A query over one table or view's rows, {@code t}, with {@code __row_id} and {@code __seq}. */
    List<List<Object>> query(String name, String sql) {
        try (EngineSession session = engine.session();
                Rows rows = session.query("WITH t AS ("
                        + session.rows(tables.get(name).rows(), true).sql() + ") " + sql)) {
            return rows.all();
        }
    }

    /** What the view must hold: its query run from nothing. */
    List<List<Object>> expected(String name) {
        View view = flow.get(name);
        Map<String, TableRows> sources = new HashMap<>();
        view.plan
                .sources()
                .forEach(source -> sources.put(source, tables.get(source).rows()));
        try (EngineSession session = engine.session()) {
            return all(session, Reference.rows(session, view.plan, sources));
        }
    }

    /**
     * What the view's text gives as it was written. It must call its tables by aliases, and
     * by their qualified names nowhere but in FROM.
     */
    List<List<Object>> expectedOfText(String name) {
        View view = flow.get(name);
        List<String> tablesRead = new ArrayList<>();
        String text = view.text;
        try (EngineSession session = engine.session()) {
            for (String source : view.plan.sources()) {
                String bare = source.replace('.', '_');
                text = text.replaceAll(java.util.regex.Pattern.quote(source) + "\\b", bare);
                tablesRead.add(bare + " AS ("
                        + session.rows(tables.get(source).rows(), false).sql() + ")");
            }
            List<OutputColumn> columns = view.plan.columns();
            String names = Sql.join(columns.size(), ", ", i -> "c" + i);
            String casts = Sql.join(
                    columns.size(),
                    ", ",
                    i -> "CAST(c" + i + " AS " + columns.get(i).duckType() + ") AS c" + i);
            String query = "WITH " + String.join(", ", tablesRead) + " SELECT " + casts + " FROM (" + text + ") AS v("
                    + names + ")";
            String kept = Sql.join(
                    view.plan.expectations().size(),
                    "",
                    i -> view.plan.expectations().get(i).onViolation() == OnViolation.DROP
                            ? " AND (" + view.plan.expectations().get(i).sql() + ") IS NOT FALSE"
                            : "");
            return all(session, new Relation("SELECT * FROM (" + query + ") WHERE true" + kept));
        }
    }

    private static List<List<Object>> all(EngineSession session, Relation relation) {
        try (Rows rows = session.query("SELECT * FROM " + relation.as("r") + " ORDER BY ALL")) {
            return rows.all();
        }
    }

    static long[] range(long from, long to) {
        return LongStream.range(from, to).toArray();
    }

    @Override
    public void close() {
        engine.close();
    }
}
