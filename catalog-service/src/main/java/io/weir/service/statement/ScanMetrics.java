package io.weir.service.statement;

import io.weir.rest.MetricsReports.Reported;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.expressions.ExpressionUtil;
import org.apache.iceberg.metrics.CommitReport;
import org.apache.iceberg.metrics.CounterResult;
import org.apache.iceberg.metrics.ScanMetricsResult;
import org.apache.iceberg.metrics.ScanReport;
import org.apache.iceberg.metrics.TimerResult;

/** The rows of {@code weir.scan_metrics}: what clients report of their scans, and of their commits beside. */
final class ScanMetrics {
    private ScanMetrics() {}

    static List<List<Object>> rows(List<Reported> reports) {
        return reports.stream().map(ScanMetrics::row).toList();
    }

    private static List<Object> row(Reported reported) {
        return switch (reported.report()) {
            case ScanReport scan -> {
                ScanMetricsResult metrics = scan.scanMetrics();
                yield row(
                        reported,
                        "scan",
                        scan.snapshotId(),
                        null,
                        ExpressionUtil.toSanitizedString(scan.filter()),
                        String.join(", ", scan.projectedFieldNames()),
                        millis(metrics.totalPlanningDuration()),
                        value(metrics.resultDataFiles()),
                        value(metrics.resultDeleteFiles()),
                        value(metrics.totalFileSizeInBytes()),
                        value(metrics.skippedDataFiles()));
            }
            case CommitReport commit ->
                row(
                        reported,
                        "commit",
                        commit.snapshotId(),
                        commit.operation(),
                        null,
                        null,
                        millis(commit.commitMetrics().totalDuration()),
                        value(commit.commitMetrics().addedDataFiles()),
                        value(commit.commitMetrics().addedDeleteFiles()),
                        value(commit.commitMetrics().addedFilesSizeInBytes()),
                        null);
            default -> throw new IllegalStateException("a report of an unknown kind was kept: " + reported);
        };
    }

    private static List<Object> row(Reported reported, Object... told) {
        Object[] row = new Object[told.length + 5];
        row[0] = reported.at();
        row[1] = Names.schema(reported.table().namespace());
        row[2] = reported.table().name();
        System.arraycopy(told, 0, row, 3, told.length);
        row[row.length - 2] = reported.author();
        row[row.length - 1] = reported.engine();
        return Arrays.asList(row);
    }

    private static Long millis(TimerResult timer) {
        return timer == null ? null : timer.totalDuration().toMillis();
    }

    private static Long value(CounterResult counter) {
        return counter == null ? null : counter.value();
    }
}
