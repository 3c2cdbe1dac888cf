package io.weir.service.statement;

import io.weir.coordinator.CommitOutcome;
import io.weir.service.sql.SqlException;

/** How a commit's outcome reads in SQL. */
final class Outcomes {
    private Outcomes() {}

    /** The error of an outcome that is not a commit. */
    static SqlException error(CommitOutcome outcome) {
        return switch (outcome) {
            case CommitOutcome.Committed _ -> throw new IllegalArgumentException("a commit is no error");
            case CommitOutcome.Conflict c ->
                new SqlException(
                        "40001", "another commit came first, again and again: " + c.message(), "Run it again.");
            case CommitOutcome.Rejected r -> new SqlException(r.sqlState(), r.message(), r.hint());
            case CommitOutcome.Fenced f ->
                new SqlException("25006", f.message(), "Another server leads the lake now: ask that one.");
            case CommitOutcome.Overloaded o ->
                new SqlException(
                        "53000",
                        o.message(),
                        "Run it again in " + o.retryAfter().toSeconds() + " s.");
            case CommitOutcome.Unknown u ->
                new SqlException(
                        "08007",
                        "it is not known whether the commit was applied: " + u.message(),
                        "Read the table before running it again.");
        };
    }
}
