package io.weir.service.sql;

import io.weir.service.sql.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The grammar of {@code (name = value, …)} after WITH and SET, and of lists of property names. */
final class Properties {
    private Properties() {}

    /** Names may be dotted, quoted or strings; values strings, numbers or single words. */
    static Map<String, String> list(TokenCursor cursor, String what) {
        cursor.expectSymbol("(");
        var properties = new LinkedHashMap<String, String>();
        do {
            String name = name(cursor, what);
            cursor.expectSymbol("=");
            if (properties.put(name, value(cursor)) != null) {
                throw cursor.error(what + " \"" + name + "\" is given twice", "Give it once.");
            }
        } while (cursor.acceptSymbol(","));
        cursor.expectSymbol(")");
        return properties;
    }

    static List<String> names(TokenCursor cursor) {
        cursor.expectSymbol("(");
        var names = new ArrayList<String>();
        do {
            names.add(name(cursor, "a property"));
        } while (cursor.acceptSymbol(","));
        cursor.expectSymbol(")");
        return names;
    }

    private static String name(TokenCursor cursor, String what) {
        if (cursor.peek().kind() == Kind.STRING) {
            return cursor.take().text();
        }
        var name = new StringBuilder(part(cursor, what));
        while (cursor.peek().isSymbol(".") || cursor.peek().isSymbol("-")) {
            name.append(cursor.take().text()).append(part(cursor, what));
        }
        return name.toString();
    }

    private static String part(TokenCursor cursor, String what) {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED_IDENTIFIER) {
            throw cursor.expected("the name of " + what);
        }
        return cursor.take().text();
    }

    private static String value(TokenCursor cursor) {
        Set<Kind> kinds = Set.of(Kind.STRING, Kind.NUMBER, Kind.WORD, Kind.QUOTED_IDENTIFIER);
        if (cursor.peek().isSymbol("-") && cursor.peek(1).kind() == Kind.NUMBER) {
            cursor.take();
            return "-" + cursor.take().text();
        }
        if (!kinds.contains(cursor.peek().kind())) {
            throw cursor.expected("a value");
        }
        return cursor.take().text();
    }
}
