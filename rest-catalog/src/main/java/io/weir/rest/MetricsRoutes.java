package io.weir.rest;

import io.weir.coordinator.Caller;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.requests.ReportMetricsRequest;

/** Takes in what clients report of their scans and commits. */
final class MetricsRoutes {
    private final MetricsReports reports;

    MetricsRoutes(MetricsReports reports) {
        this.reports = reports;
    }

    List<Route> all() {
        return List.of(Route.reading(Endpoint.V1_REPORT_METRICS, this::report));
    }

    private Answer report(Call call) {
        ReportMetricsRequest request = call.body(ReportMetricsRequest.class);
        TableIdentifier table = TableRoutes.existing(call).name();
        if (request.reportType() != ReportMetricsRequest.ReportType.UNKNOWN) {
            Caller caller = call.caller();
            reports.add(
                    call.lake().name(),
                    new MetricsReports.Reported(
                            Instant.now(), table, request.report(), caller.author(), caller.engine()));
        }
        return Answer.noContent();
    }
}
