package io.weir.incremental.engine;

/** Names and texts as SQL. */
public final class Quoting {
    private Quoting() {}

    /** An identifier in double quotes. */
    public static String name(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** A string literal. */
    public static String text(String value) {
        return '\'' + value.replace("'", "''") + '\'';
    }
}
