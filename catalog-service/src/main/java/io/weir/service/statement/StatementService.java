package io.weir.service.statement;

import io.weir.coordinator.Action;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitOutcome;
import io.weir.coordinator.Lake;
import io.weir.coordinator.LakeRequest;
import io.weir.coordinator.RequestRejectedException;
import io.weir.coordinator.Version;
import io.weir.incremental.engine.CheckedSql;
import io.weir.incremental.engine.Column;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Rows;
import io.weir.rest.MetricsReports;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;
import io.weir.service.sql.Parameters;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.SqlParser;
import io.weir.service.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.exceptions.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the statements of a request on one lake. Each statement reads one version; each is a commit of its own, but those
 * between BEGIN and COMMIT are one. A unit that loses a race is run again on the newer state, a bounded number of times.
 * Safe for many threads.
 */
public final class StatementService {
    private static final Logger LOG = LoggerFactory.getLogger(StatementService.class);
    private static final List<Column> COUNT = List.of(new Column("count", "BIGINT"));

    private final Lake lake;
    private final Engine engine;
    private final LakeReader reader;
    private final Statements statements;
    private final int attempts;

    /** @param reports what {@code weir.scan_metrics} shows */
    public StatementService(
            Lake lake, Engine engine, FileStage stage, MetricsReports reports, int formatVersion, int attempts) {
        this.lake = lake;
        this.engine = engine;
        var tables = new TableReader(lake.io(), stage);
        this.reader = new LakeReader(lake, tables, reports);
        this.statements = new Statements(lake, engine, stage, reader, tables, formatVersion);
        this.attempts = attempts;
    }

    /** Runs them all; the last one's answer goes to {@code sink}, once it is certain. */
    public void run(SqlRequest request, AnswerSink sink) {
        List<Statement> parsed = SqlParser.parse(Parameters.fill(request.sql(), request.parameters()));
        if (request.readOnly()) {
            parsed.forEach(statement -> requireHarmless(statement, request));
        }
        List<Unit> units = Unit.of(parsed);
        if (units.isEmpty()) {
            throw new SqlException("42601", "there is no statement to run", "Send for instance SELECT 1.");
        }
        for (int i = 0; i < units.size(); i++) {
            run(units.get(i), request, i == units.size() - 1 ? sink : new Discarded());
        }
    }

    private static void requireHarmless(Statement statement, SqlRequest request) {
        if (!Statements.isRead(statement) && !Statements.isBoundary(statement)) {
            throw new SqlException(
                    "42501",
                    request.caller().author()
                            + " may only read, and this request has a statement that changes something",
                    "It takes a token with the role write.");
        }
    }

    /** A rejection met outside a commit, as an error of SQL. */
    public static SqlException error(RequestRejectedException rejected) {
        return Outcomes.error(rejected.outcome());
    }

    private void run(Unit unit, SqlRequest request, AnswerSink sink) {
        if (!unit.transaction() && Statements.isRead(unit.statements().getFirst())) {
            ReadPoint point = request.at().map(reader::at).orElseGet(() -> ReadPoint.of(lake, lake.state()));
            read(unit.statements().getFirst(), point, sink);
            return;
        }
        if (request.at().isPresent()) {
            throw new SqlException(
                    "25006", "the lake at version " + request.at().get() + " is read-only", "Leave ?at= out to write.");
        }
        write(unit, request, sink);
    }

    private void write(Unit unit, SqlRequest request, AnswerSink sink) {
        for (int attempt = 1; ; attempt++) {
            CatalogState base = lake.state();
            Change change = plan(unit, base);
            if (change.actions().isEmpty()) {
                answer(unit, change, base.version(), sink);
                return;
            }
            CommitOutcome outcome = lake.commit(new LakeRequest(request.caller(), change.actions()));
            if (outcome instanceof CommitOutcome.Committed committed) {
                answer(unit, change, committed.state().version(), sink);
                return;
            }
            if (!(outcome instanceof CommitOutcome.Unknown)) {
                change.files().forEach(this::delete);
            }
            if (!(outcome instanceof CommitOutcome.Conflict) || attempt == attempts) {
                throw Outcomes.error(outcome);
            }
        }
    }

    private Change plan(Unit unit, CatalogState base) {
        var actions = new ArrayList<Action>();
        var files = new ArrayList<String>();
        long rows = 0;
        ReadPoint point = ReadPoint.of(lake, base);
        boolean stale = false;
        try {
            for (Statement statement : unit.statements()) {
                if (stale) {
                    point = ReadPoint.of(lake, lake.preview(base, actions));
                    stale = false;
                }
                if (Statements.isRead(statement)) {
                    read(statement, point, new Discarded());
                    continue;
                }
                Change change = statements.plan(statement, point);
                actions.addAll(change.actions());
                files.addAll(change.files());
                rows = change.rows();
                stale = !change.actions().isEmpty();
            }
            return new Change(actions, rows, files);
        } catch (RequestRejectedException e) {
            files.forEach(this::delete);
            throw Outcomes.error(e.outcome());
        } catch (NotFoundException e) {
            files.forEach(this::delete);
            throw changesKeyedTable(actions, point) ? readsWhatItChanged(e) : e;
        }
    }

    private boolean changesKeyedTable(List<Action> actions, ReadPoint point) {
        return actions.stream()
                .filter(Action.UpdateTable.class::isInstance)
                .map(Action.UpdateTable.class::cast)
                .flatMap(update -> point.state().table(update.name()).stream())
                .anyMatch(table ->
                        !point.metadata(table).schema().identifierFieldIds().isEmpty());
    }

    /** What an insert into a keyed table takes away is worked out when it is committed: until then it is nowhere. */
    private static SqlException readsWhatItChanged(NotFoundException e) {
        return new SqlException(
                "0A000",
                "a statement of the transaction reads or changes rows of a keyed table that an earlier one inserted into,"
                        + " which is not possible yet",
                "Commit before it, or make the change to each keyed table the last that looks at it.",
                e);
    }

    private static void answer(Unit unit, Change change, Version version, AnswerSink sink) {
        if (!unit.transaction() && Statements.countsRows(unit.statements().getFirst())) {
            sink.start(version, COUNT);
            sink.row(List.of(change.rows()));
        } else {
            sink.start(version, List.of());
        }
    }

    private void read(Statement statement, ReadPoint point, AnswerSink sink) {
        switch (statement) {
            case Statement.Query query -> query("", query.query().text(), point, sink);
            case Statement.Explain explain -> query("EXPLAIN ", explain.query().text(), point, sink);
            case Statement.DescribeQuery query ->
                query("DESCRIBE ", query.query().text(), point, sink);
            case Statement.ShowSchemas _ -> answer(CatalogQuestions.schemas(point), point, sink);
            case Statement.ShowTables show -> answer(CatalogQuestions.tables(show, point), point, sink);
            case Statement.DescribeTable describe -> answer(CatalogQuestions.describe(describe, point), point, sink);
            default -> throw new IllegalStateException("not a statement that reads: " + statement);
        }
    }

    private static void answer(CatalogQuestions.Answer answer, ReadPoint point, AnswerSink sink) {
        sink.start(point.state().version(), answer.columns());
        answer.rows().forEach(sink::row);
    }

    private void query(String prefix, String sql, ReadPoint point, AnswerSink sink) {
        try (EngineSession session = engine.session()) {
            CheckedSql checked = reader.open(session, sql, point);
            try (Rows rows = session.query(prefix + checked.sql())) {
                sink.start(point.state().version(), rows.columns());
                while (rows.next()) {
                    sink.row(rows.row());
                }
            }
        }
    }

    private void delete(String file) {
        try {
            lake.io().deleteFile(file);
        } catch (RuntimeException e) {
            LOG.warn("{} was written for a statement that was not committed and could not be deleted", file, e);
        }
    }

    private static final class Discarded implements AnswerSink {
        @Override
        public void start(Version version, List<Column> columns) {}

        @Override
        public void row(List<Object> values) {}
    }
}
