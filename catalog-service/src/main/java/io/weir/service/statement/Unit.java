package io.weir.service.statement;

import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Statements that are committed together: one, or those between BEGIN and COMMIT. */
record Unit(List<Statement> statements, boolean transaction) {
    Unit {
        statements = List.copyOf(statements);
    }

    /** A transaction that is rolled back is none; one that does not end is refused before anything runs. */
    static List<Unit> of(List<Statement> statements) {
        var units = new ArrayList<Unit>();
        List<Statement> open = null;
        for (Statement statement : statements) {
            switch (statement) {
                case Statement.Begin _ -> {
                    if (open != null) {
                        throw new SqlException("25001", "a transaction is already open", "COMMIT it first.");
                    }
                    open = new ArrayList<>();
                }
                case Statement.Commit _ -> {
                    units.add(new Unit(opened(open, "COMMIT"), true));
                    open = null;
                }
                case Statement.Rollback _ -> {
                    opened(open, "ROLLBACK");
                    units.add(new Unit(List.of(), true));
                    open = null;
                }
                default -> {
                    if (open == null) {
                        units.add(new Unit(List.of(statement), false));
                    } else {
                        open.add(statement);
                    }
                }
            }
        }
        if (open != null) {
            throw new SqlException(
                    "25000",
                    "the transaction is not committed: it ends with its request",
                    "Write BEGIN; ...; COMMIT in one request.");
        }
        return units;
    }

    private static List<Statement> opened(List<Statement> open, String word) {
        if (open == null) {
            throw new SqlException("25P01", word + " without a transaction", "Write BEGIN first, in the same request.");
        }
        return open;
    }
}
