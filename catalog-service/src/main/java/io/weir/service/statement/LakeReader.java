package io.weir.service.statement;

import io.weir.coordinator.CatalogState;
import io.weir.coordinator.CommitRecord;
import io.weir.coordinator.Lake;
import io.weir.coordinator.TableEntry;
import io.weir.coordinator.Version;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.CheckedSql;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.KnownTables.KnownTable;
import io.weir.incremental.engine.Rows;
import io.weir.incremental.engine.SqlGuard;
import io.weir.incremental.engine.TableName;
import io.weir.incremental.engine.TableReference;
import io.weir.rest.MetricsReports;
import io.weir.service.rows.TableReader;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Lets a user's SELECT read the lake: checks its text, finds its tables at the read point (or where AT puts them), and
 * shows them to the engine. System tables are always as of now.
 */
final class LakeReader {
    private final Lake lake;
    private final TableReader tables;
    private final MetricsReports reports;

    LakeReader(Lake lake, TableReader tables, MetricsReports reports) {
        this.reports = reports;
        this.lake = lake;
        this.tables = tables;
    }

    /** The text checked, and every table it reads exposed in the session. */
    CheckedSql open(EngineSession session, String sql, ReadPoint point) {
        CheckedSql checked = check(session, sql, point);
        for (TableReference reference : checked.tables()) {
            expose(session, reference, checked, point);
        }
        return checked;
    }

    /** As {@link #open}; {@code target} also shows the positions of its rows. */
    CheckedSql openForChange(EngineSession session, String sql, ReadPoint point, TableEntry target) {
        CheckedSql checked = check(session, sql, point);
        for (TableReference reference : checked.tables()) {
            if (reference.at().isEmpty() && reference.name().equals(Names.tableName(target.name()))) {
                session.exposeWithPositions(
                        reference.exposedSchema(),
                        reference.exposedTable(),
                        tables.rows(target, point.metadata(target)),
                        () -> TableReader.systemColumns(target.lineage()),
                        checked.systemColumns());
            } else {
                expose(session, reference, checked, point);
            }
        }
        return checked;
    }

    CheckedSql check(EngineSession session, String sql, ReadPoint point) {
        return SqlGuard.check(session, sql, name -> known(name, point));
    }

    private static Optional<KnownTable> known(TableName written, ReadPoint point) {
        if (written.namespace().equalsIgnoreCase(Names.SYSTEM)) {
            return SystemTables.named(written.table())
                    .map(system -> new KnownTable(new TableName(Names.SYSTEM, system.name()), system.schema()));
        }
        return point.names()
                .table(qualified(written))
                .map(table -> new KnownTable(
                        Names.tableName(table.name()), point.metadata(table).schema()));
    }

    static QualifiedName qualified(TableName name) {
        List<String> levels = List.of(name.namespace().split("\\."));
        String[] parts = new String[levels.size() + 1];
        levels.toArray(parts);
        parts[levels.size()] = name.table();
        return QualifiedName.of(parts);
    }

    private void expose(EngineSession session, TableReference reference, CheckedSql checked, ReadPoint point) {
        if (reference.name().namespace().equals(Names.SYSTEM)) {
            SystemTables.SystemTable system =
                    SystemTables.named(reference.name().table()).orElseThrow();
            ReadPoint now = ReadPoint.of(lake, lake.state());
            session.exposeValues(
                    reference.exposedSchema(),
                    reference.exposedTable(),
                    system.schema(),
                    system.rows(lake.name(), now, reports));
            return;
        }
        ReadPoint at = reference.at().map(moment -> past(session, moment)).orElse(point);
        TableEntry table = at.names().existingTable(qualified(reference.name()));
        TableRows rows = tables.rows(table, at.metadata(table));
        session.expose(
                reference.exposedSchema(),
                reference.exposedTable(),
                rows,
                () -> TableReader.systemColumns(table.lineage()),
                checked.systemColumns());
    }

    private ReadPoint past(EngineSession session, TableReference.At at) {
        return switch (at.unit()) {
            case VERSION -> {
                try {
                    yield at(new Version(Long.parseLong(at.value())));
                } catch (IllegalArgumentException e) {
                    throw new SqlException(
                            "22023", "\"" + at.value() + "\" is not a version", "A version is a whole number.", e);
                }
            }
            case TIMESTAMP -> at(versionAt(instant(session, at.value())));
        };
    }

    /** The lake at a version. */
    ReadPoint at(Version version) {
        return lake.stateAt(version)
                .map(state -> ReadPoint.of(lake, state))
                .orElseThrow(() -> new SqlException(
                        "22023",
                        "the lake has no version " + version,
                        "The newest is " + lake.state().version() + "; weir.commits lists them."));
    }

    private static Instant instant(EngineSession session, String text) {
        try (Rows rows = session.query("SELECT CAST(CAST(? AS VARCHAR) AS TIMESTAMPTZ)", text)) {
            rows.next();
            return ((OffsetDateTime) rows.value(0)).toInstant();
        }
    }

    private Version versionAt(Instant moment) {
        CatalogState now = lake.state();
        if (!moment.isBefore(now.committedAt())) {
            return now.version();
        }
        return now.commits().reversed().stream()
                .filter(commit -> !commit.committedAt().isAfter(moment))
                .findFirst()
                .map(CommitRecord::version)
                .map(Version::new)
                .orElseThrow(() -> new SqlException(
                        "22023", "the lake had no commit at " + moment, "weir.commits lists what there is."));
    }
}
