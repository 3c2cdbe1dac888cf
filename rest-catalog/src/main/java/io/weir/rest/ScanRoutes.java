package io.weir.rest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.IncrementalAppendScan;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.WeirSnapshots;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.PlanStatus;
import org.apache.iceberg.rest.requests.FetchScanTasksRequest;
import org.apache.iceberg.rest.requests.FetchScanTasksRequestParser;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.requests.PlanTableScanRequestParser;
import org.apache.iceberg.rest.responses.FetchPlanningResultResponse;
import org.apache.iceberg.rest.responses.FetchPlanningResultResponseParser;
import org.apache.iceberg.rest.responses.FetchScanTasksResponse;
import org.apache.iceberg.rest.responses.FetchScanTasksResponseParser;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.apache.iceberg.rest.responses.PlanTableScanResponseParser;

/**
 * Scans planned by the server. A plan is complete when it is answered: a small one with all its tasks, a large one with
 * {@linkplain ScanToken tokens}, each for some of the snapshot's manifests, which are planned when they are fetched.
 */
final class ScanRoutes {
    /** Manifests planned in one answer. */
    private static final int MANIFESTS_AT_ONCE = 16;

    private static final String NO_SUCH_PLAN = "NoSuchPlanIdException";
    private static final String NO_SUCH_TASK = "NoSuchPlanTaskException";

    private final PlanIds ids = new PlanIds();

    List<Route> all() {
        return List.of(
                Route.reading(Endpoint.V1_SUBMIT_TABLE_SCAN_PLAN, this::plan),
                Route.reading(Endpoint.V1_FETCH_TABLE_SCAN_PLAN, this::result),
                Route.reading(Endpoint.V1_CANCEL_TABLE_SCAN_PLAN, this::cancel),
                Route.reading(Endpoint.V1_FETCH_TABLE_SCAN_PLAN_TASKS, ScanRoutes::tasks));
    }

    /** The tasks of a plan, or the tokens to fetch them with. */
    private record Planned(List<FileScanTask> tasks, List<String> tokens) {}

    private Answer plan(Call call) {
        TableMetadata table = TableRoutes.metadata(call);
        PlanTableScanRequest request = request(call);
        Optional<ScanToken> token = token(table, request);
        Planned planned =
                token.map(plan -> planned(call, table, plan)).orElseGet(() -> new Planned(List.of(), List.of()));
        PlanTableScanResponse.Builder response = PlanTableScanResponse.builder(table.specsById())
                .withPlanStatus(PlanStatus.COMPLETED)
                .withFileScanTasks(planned.tasks)
                .withPlanTasks(planned.tokens);
        token.ifPresent(plan -> response.withPlanId(ids.id(plan)));
        return Answer.json(200, PlanTableScanResponseParser.toJson(response.build()));
    }

    private static PlanTableScanRequest request(Call call) {
        try {
            PlanTableScanRequest request = PlanTableScanRequestParser.fromJson(call.body());
            request.validate();
            return request;
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("Invalid scan: %s", e.getMessage());
        }
    }

    /** What is to be planned; empty for a table without rows. */
    private static Optional<ScanToken> token(TableMetadata table, PlanTableScanRequest request) {
        Long asked = request.endSnapshotId() == null ? request.snapshotId() : request.endSnapshotId();
        Snapshot snapshot = asked == null ? table.currentSnapshot() : table.snapshot(asked);
        if (asked != null && snapshot == null) {
            throw HttpProblem.badRequest("The table has no snapshot %s", asked);
        }
        if (request.startSnapshotId() != null && table.snapshot(request.startSnapshotId()) == null) {
            throw HttpProblem.badRequest("The table has no snapshot %s", request.startSnapshotId());
        }
        return Optional.ofNullable(snapshot)
                .map(read -> new ScanToken(table.uuid(), read.snapshotId(), request, 0, Integer.MAX_VALUE));
    }

    private Answer result(Call call) {
        TableMetadata table = TableRoutes.metadata(call);
        ScanToken plan = existing(call, table);
        Planned planned = planned(call, table, plan);
        return Answer.json(
                200,
                FetchPlanningResultResponseParser.toJson(FetchPlanningResultResponse.builder(table.specsById())
                        .withPlanStatus(PlanStatus.COMPLETED)
                        .withFileScanTasks(planned.tasks)
                        .withPlanTasks(planned.tokens)
                        .build()));
    }

    /** Nothing is kept of a plan, so there is nothing to give up. */
    private Answer cancel(Call call) {
        TableMetadata table = TableRoutes.metadata(call);
        existing(call, table);
        return Answer.noContent();
    }

    private ScanToken existing(Call call, TableMetadata table) {
        return ids.find(call.plan(), table.uuid())
                .orElseThrow(() -> new HttpProblem(
                        404, NO_SUCH_PLAN, "There is no plan " + call.plan() + " here any more: plan again"));
    }

    private static Answer tasks(Call call) {
        TableMetadata table = TableRoutes.metadata(call);
        FetchScanTasksRequest request;
        try {
            request = FetchScanTasksRequestParser.fromJson(call.body());
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("Invalid request for scan tasks: %s", e.getMessage());
        }
        ScanToken part = ScanToken.parse(request.planTask(), table.uuid())
                .orElseThrow(() -> new HttpProblem(404, NO_SUCH_TASK, "There is no plan task " + request.planTask()));
        return Answer.json(
                200,
                FetchScanTasksResponseParser.toJson(FetchScanTasksResponse.builder(table.specsById())
                        .withFileScanTasks(files(call, table, part))
                        .build()));
    }

    private static Planned planned(Call call, TableMetadata table, ScanToken plan) {
        if (plan.request().startSnapshotId() != null) {
            return new Planned(appended(call, table, plan), List.of());
        }
        int manifests = snapshot(table, plan).dataManifests(call.lake().io()).size();
        if (manifests <= MANIFESTS_AT_ONCE) {
            return new Planned(files(call, table, plan), List.of());
        }
        requireBinds(read(table, plan), plan.request());
        Long enough = plan.request().minRowsRequested();
        if (enough != null) {
            List<FileScanTask> first = files(call, table, plan.part(0, MANIFESTS_AT_ONCE));
            if (certainRows(first) >= enough) {
                return new Planned(first, List.of());
            }
        }
        List<String> tokens = new ArrayList<>();
        for (int from = 0; from < manifests; from += MANIFESTS_AT_ONCE) {
            tokens.add(plan.part(from, from + MANIFESTS_AT_ONCE).text());
        }
        return new Planned(List.of(), tokens);
    }

    private static Snapshot snapshot(TableMetadata table, ScanToken plan) {
        Snapshot snapshot = table.snapshot(plan.snapshotId());
        if (snapshot == null) {
            throw new HttpProblem(
                    404, NO_SUCH_PLAN, "Snapshot " + plan.snapshotId() + " of the plan has expired: plan again");
        }
        return snapshot;
    }

    /** The table with the schema that the scan is to be read by: names in it mean what they meant in that schema. */
    private static TableMetadata read(TableMetadata table, ScanToken plan) {
        Integer schema = snapshot(table, plan).schemaId();
        return !plan.request().useSnapshotSchema() || schema == null || schema == table.currentSchemaId()
                ? table
                : TableMetadata.buildFrom(table)
                        .setCurrentSchema(schema)
                        .discardChanges()
                        .build();
    }

    private static List<FileScanTask> files(Call call, TableMetadata known, ScanToken part) {
        Snapshot snapshot = snapshot(known, part);
        TableMetadata table = read(known, part);
        List<ManifestFile> manifests = snapshot.dataManifests(call.lake().io());
        PlanTableScanRequest request = part.request();
        requireBinds(table, request);
        return all(
                WeirSnapshots.tasks(
                        table,
                        call.lake().io(),
                        manifests.subList(
                                Math.min(part.from(), manifests.size()), Math.min(part.to(), manifests.size())),
                        snapshot.deleteManifests(call.lake().io()),
                        filter(request),
                        request.caseSensitive(),
                        statistics(table.schema(), request)),
                request.minRowsRequested());
    }

    /** Files appended after the start, which is not part of it, up to the end, which is. */
    private static List<FileScanTask> appended(Call call, TableMetadata known, ScanToken plan) {
        TableMetadata table = read(known, plan);
        PlanTableScanRequest request = plan.request();
        requireBinds(table, request);
        if (request.startSnapshotId() == plan.snapshotId()) {
            return List.of();
        }
        IncrementalAppendScan scan = new BaseTable(
                        new StaticTableOperations(table, call.lake().io()), "table")
                .newIncrementalAppendScan()
                .fromSnapshotExclusive(request.startSnapshotId())
                .toSnapshot(plan.snapshotId())
                .caseSensitive(request.caseSensitive())
                .filter(filter(request));
        if (request.statsFields() != null && !request.statsFields().isEmpty()) {
            scan = scan.includeColumnStats(request.statsFields());
        }
        try {
            return all(scan.planFiles(), request.minRowsRequested());
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("Invalid incremental scan: %s", e.getMessage());
        }
    }

    /**
     * The planned tasks, or the first of them.
     *
     * @param enough the rows after which the client wants no more; null: it wants all
     */
    private static List<FileScanTask> all(CloseableIterable<FileScanTask> planned, Long enough) {
        try (planned) {
            List<FileScanTask> tasks = new ArrayList<>();
            long rows = 0;
            for (FileScanTask task : planned) {
                tasks.add(task);
                rows += certainRows(task);
                if (enough != null && rows >= enough) {
                    break;
                }
            }
            return tasks;
        } catch (IOException e) {
            throw new UncheckedIOException("The manifests of a scan do not close", e);
        }
    }

    private static long certainRows(List<FileScanTask> tasks) {
        return tasks.stream().mapToLong(ScanRoutes::certainRows).sum();
    }

    /** Rows that are there for certain and pass the filter for certain. */
    private static long certainRows(FileScanTask task) {
        return task.residual().op() == Expression.Operation.TRUE
                        && task.deletes().isEmpty()
                ? task.file().recordCount()
                : 0;
    }

    private static Expression filter(PlanTableScanRequest request) {
        return request.filter() == null ? Expressions.alwaysTrue() : request.filter();
    }

    private static void requireBinds(TableMetadata table, PlanTableScanRequest request) {
        try {
            Binder.bind(table.schema().asStruct(), filter(request), request.caseSensitive());
        } catch (ValidationException e) {
            throw HttpProblem.badRequest("Invalid filter: %s", e.getMessage());
        }
    }

    /** Null for none. */
    private static Set<Integer> statistics(Schema schema, PlanTableScanRequest request) {
        if (request.statsFields() == null || request.statsFields().isEmpty()) {
            return null;
        }
        Set<Integer> ids = new HashSet<>();
        for (String name : request.statsFields()) {
            var field = request.caseSensitive() ? schema.findField(name) : schema.caseInsensitiveFindField(name);
            if (field == null) {
                throw HttpProblem.badRequest("stats-fields names %s, which the table does not have", name);
            }
            ids.add(field.fieldId());
        }
        return ids;
    }
}
