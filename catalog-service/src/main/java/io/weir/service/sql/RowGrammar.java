package io.weir.service.sql;

import io.weir.service.sql.Statement.Assignment;
import io.weir.service.sql.Statement.Delete;
import io.weir.service.sql.Statement.Insert;
import io.weir.service.sql.Statement.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The grammar of INSERT, UPDATE and DELETE. RETURNING and ON CONFLICT are refused. */
final class RowGrammar {
    private final TokenCursor cursor;

    RowGrammar(TokenCursor cursor) {
        this.cursor = cursor;
    }

    Insert insert() {
        cursor.expect("INSERT");
        cursor.accept("OR", "REPLACE");
        cursor.expect("INTO");
        QualifiedName table = cursor.qualifiedName("a table name");
        List<String> columns = List.of();
        boolean listed = cursor.peek().isSymbol("(")
                && !cursor.peek(1).isSymbol("(")
                && !cursor.peek(1).is("SELECT")
                && !cursor.peek(1).is("WITH")
                && !cursor.peek(1).is("VALUES")
                && !cursor.peek(1).is("FROM");
        if (listed) {
            columns = cursor.identifierList("a column name");
        }
        Span query = cursor.span("VALUES or a query", this::isRefusedTail);
        refuseTail();
        return new Insert(table, columns, query);
    }

    Update update() {
        cursor.expect("UPDATE");
        QualifiedName table = cursor.qualifiedName("a table name");
        Optional<String> alias = alias("SET");
        cursor.expect("SET");
        var assignments = new ArrayList<Assignment>();
        do {
            String column = cursor.identifier("a column name");
            cursor.expectSymbol("=");
            assignments.add(new Assignment(
                    column,
                    cursor.span(
                            "a value",
                            token -> token.isSymbol(",")
                                    || isFrom(token)
                                    || token.is("WHERE")
                                    || isRefusedTail(token))));
        } while (cursor.acceptSymbol(","));
        Optional<Span> from = Optional.empty();
        if (cursor.accept("FROM")) {
            from = Optional.of(cursor.span("a table", token -> token.is("WHERE") || isRefusedTail(token)));
        }
        Optional<Span> where = where();
        refuseTail();
        return new Update(table, alias, assignments, from, where);
    }

    Delete delete() {
        cursor.expect("DELETE", "FROM");
        QualifiedName table = cursor.qualifiedName("a table name");
        Optional<String> alias = alias("USING");
        Optional<Span> using = Optional.empty();
        if (cursor.accept("USING")) {
            using = Optional.of(cursor.span("a table", token -> token.is("WHERE") || isRefusedTail(token)));
        }
        Optional<Span> where = where();
        refuseTail();
        return new Delete(table, alias, using, where);
    }

    private Optional<String> alias(String unlessNext) {
        if (cursor.accept("AS")) {
            return Optional.of(cursor.identifier("an alias"));
        }
        boolean named = cursor.seesIdentifier() && !cursor.sees(unlessNext);
        return named ? Optional.of(cursor.identifier("an alias")) : Optional.empty();
    }

    private Optional<Span> where() {
        return cursor.accept("WHERE") ? Optional.of(cursor.span("a condition", this::isRefusedTail)) : Optional.empty();
    }

    /** FROM ends a value, but not the one in {@code a IS DISTINCT FROM b}. */
    private boolean isFrom(Token token) {
        return token.is("FROM") && !cursor.previous().is("DISTINCT");
    }

    private boolean isRefusedTail(Token token) {
        return token.is("RETURNING") || (token.is("ON") && cursor.peek(1).is("CONFLICT"));
    }

    private void refuseTail() {
        if (cursor.sees("RETURNING")) {
            throw new SqlException("0A000", "RETURNING is not supported", "Read the rows with a SELECT afterwards.");
        }
        if (cursor.sees("ON", "CONFLICT")) {
            throw new SqlException(
                    "0A000",
                    "ON CONFLICT is not supported",
                    "An insert of an existing key of a table with a PRIMARY KEY replaces the row.");
        }
    }
}
