package io.weir.service.sql;

import io.weir.service.sql.Statement.Begin;
import io.weir.service.sql.Statement.Commit;
import io.weir.service.sql.Statement.DescribeQuery;
import io.weir.service.sql.Statement.DescribeTable;
import io.weir.service.sql.Statement.Explain;
import io.weir.service.sql.Statement.Query;
import io.weir.service.sql.Statement.Rollback;
import io.weir.service.sql.Statement.ShowSchemas;
import io.weir.service.sql.Statement.ShowTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the statements of a request: recursive descent, one token of look-ahead mostly. It takes Weir's statements
 * apart and leaves SELECTs, expressions and types to DuckDB. A statement of CONTRACT 4 that is not there yet is
 * refused with 0A000, anything else with 42601.
 */
public final class SqlParser {
    private static final Set<String> QUERY_STARTS =
            Set.of("SELECT", "WITH", "VALUES", "FROM", "TABLE", "PIVOT", "UNPIVOT", "SUMMARIZE");
    private static final Set<String> NOT_YET = Set.of(
            "MERGE",
            "COPY",
            "COMMENT",
            "GRANT",
            "REVOKE",
            "CALL",
            "TRUNCATE",
            "ATTACH",
            "DETACH",
            "SET",
            "RESET",
            "PRAGMA",
            "INSTALL",
            "LOAD",
            "EXPORT",
            "IMPORT",
            "PREPARE",
            "EXECUTE",
            "USE",
            "VACUUM",
            "CHECKPOINT");

    private final TokenCursor cursor;

    private SqlParser(String source) {
        this.cursor = new TokenCursor(source);
    }

    /** The statements of a request in order; empty ones between semicolons are left out. */
    public static List<Statement> parse(String source) {
        return new SqlParser(source).statements();
    }

    private List<Statement> statements() {
        var statements = new ArrayList<Statement>();
        while (true) {
            while (cursor.acceptSymbol(";")) {
                // An empty statement is none.
            }
            if (cursor.atEnd()) {
                return List.copyOf(statements);
            }
            statements.add(statement());
            if (!cursor.atStatementEnd()) {
                throw cursor.expected("\";\" or the end of the statement");
            }
        }
    }

    private Statement statement() {
        Token first = cursor.peek();
        if (first.isSymbol("(") || QUERY_STARTS.contains(first.upper())) {
            return new Query(cursor.rest("a query"));
        }
        return switch (first.kind() == Token.Kind.WORD ? first.upper() : "") {
            case "CREATE" -> create();
            case "DROP" -> drop();
            case "ALTER" -> alter();
            case "UNDROP" -> new TableGrammar(cursor).undropTable();
            case "REFRESH" -> new ViewGrammar(cursor).refresh();
            case "INSERT" -> new RowGrammar(cursor).insert();
            case "UPDATE" -> new RowGrammar(cursor).update();
            case "DELETE" -> new RowGrammar(cursor).delete();
            case "BEGIN", "START" -> begin();
            case "COMMIT", "END" -> {
                cursor.take();
                acceptTransactionWord();
                yield new Commit();
            }
            case "ROLLBACK", "ABORT" -> {
                cursor.take();
                acceptTransactionWord();
                yield new Rollback();
            }
            case "SHOW" -> show();
            case "DESCRIBE", "DESC" -> describe();
            case "EXPLAIN" -> {
                cursor.take();
                yield new Explain(cursor.rest("a query"));
            }
            default -> throw unknown(first);
        };
    }

    private SqlException unknown(Token first) {
        if (first.kind() == Token.Kind.WORD && NOT_YET.contains(first.upper())) {
            return new SqlException("0A000", first.upper() + " is not supported");
        }
        return cursor.expected("a statement");
    }

    private Statement create() {
        cursor.expect("CREATE");
        boolean orReplace = cursor.accept("OR", "REPLACE");
        if (cursor.accept("TABLE")) {
            return new TableGrammar(cursor).createTable(orReplace);
        }
        if (cursor.accept("MATERIALIZED", "VIEW")) {
            return new ViewGrammar(cursor).create(orReplace);
        }
        if (!orReplace && (cursor.accept("SCHEMA") || cursor.accept("NAMESPACE"))) {
            return new TableGrammar(cursor).createSchema();
        }
        throw notAKind("CREATE", "TABLE, SCHEMA or MATERIALIZED VIEW");
    }

    private Statement drop() {
        cursor.expect("DROP");
        if (cursor.accept("TABLE")) {
            return new TableGrammar(cursor).dropTable();
        }
        if (cursor.accept("MATERIALIZED", "VIEW")) {
            return new ViewGrammar(cursor).drop();
        }
        if (cursor.accept("SCHEMA") || cursor.accept("NAMESPACE")) {
            return new TableGrammar(cursor).dropSchema();
        }
        throw notAKind("DROP", "TABLE, SCHEMA or MATERIALIZED VIEW");
    }

    private Statement alter() {
        cursor.expect("ALTER");
        if (cursor.accept("TABLE")) {
            return new TableGrammar(cursor).alterTable();
        }
        if (cursor.accept("MATERIALIZED", "VIEW")) {
            return new ViewGrammar(cursor).alter();
        }
        throw notAKind("ALTER", "TABLE or MATERIALIZED VIEW");
    }

    private SqlException notAKind(String verb, String kinds) {
        Set<String> later = Set.of("VIEW", "TRANSFORMATION", "PROCEDURE", "TASK", "INDEX", "SEQUENCE", "FUNCTION");
        Token kind = cursor.peek();
        if (kind.kind() == Token.Kind.WORD && later.contains(kind.upper())) {
            return new SqlException("0A000", verb + " " + kind.upper() + " is not supported");
        }
        return cursor.expected(kinds + " after " + verb);
    }

    private Statement begin() {
        if (cursor.take().is("START")) {
            cursor.expect("TRANSACTION");
        } else {
            acceptTransactionWord();
        }
        return new Begin();
    }

    private void acceptTransactionWord() {
        if (!cursor.accept("TRANSACTION")) {
            cursor.accept("WORK");
        }
    }

    private Statement show() {
        cursor.expect("SHOW");
        if (cursor.accept("SCHEMAS") || cursor.accept("NAMESPACES") || cursor.accept("DATABASES")) {
            return new ShowSchemas();
        }
        if (cursor.accept("TABLES")) {
            boolean named = cursor.accept("IN") || cursor.accept("FROM");
            return new ShowTables(named ? Optional.of(cursor.qualifiedName("a schema name")) : Optional.empty());
        }
        throw cursor.expected("SCHEMAS or TABLES after SHOW");
    }

    private Statement describe() {
        cursor.take();
        if (QUERY_STARTS.contains(cursor.peek().upper()) && !cursor.sees("TABLE")) {
            return new DescribeQuery(cursor.rest("a query"));
        }
        cursor.accept("TABLE");
        return new DescribeTable(cursor.qualifiedName("a table name"));
    }
}
