package io.weir.service.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a plain {@code VALUES (…), (…)}. An INSERT gives each value the type of its column; a VALUES by itself
 * would first find one type for all values of a column and round some of them.
 */
public final class ValuesList {
    private ValuesList() {}

    /** The expressions row by row; empty when the query is anything else. {@code DEFAULT} stays that word. */
    public static Optional<List<List<String>>> of(Span query) {
        var cursor = new TokenCursor(query.text());
        if (!cursor.accept("VALUES")) {
            return Optional.empty();
        }
        var rows = new ArrayList<List<String>>();
        do {
            if (!cursor.acceptSymbol("(")) {
                return Optional.empty();
            }
            var row = new ArrayList<String>();
            do {
                row.add(cursor.span("a value", token -> token.isSymbol(",")).text());
            } while (cursor.acceptSymbol(","));
            cursor.expectSymbol(")");
            rows.add(row);
        } while (cursor.acceptSymbol(","));
        return cursor.atEnd() ? Optional.of(rows) : Optional.empty();
    }
}
