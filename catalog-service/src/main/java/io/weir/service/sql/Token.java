package io.weir.service.sql;

import java.util.Locale;

/**
 * One word of a statement and where it stands: {@code text} is the value (quotes taken off), {@code start} and
 * {@code end} are offsets into the source.
 */
record Token(Kind kind, String text, int start, int end) {
    enum Kind {
        WORD,
        QUOTED_IDENTIFIER,
        STRING,
        NUMBER,
        PARAMETER,
        SYMBOL,
        END
    }

    /** Whether this is the unquoted word {@code keyword}, in any case. */
    boolean is(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** As an error message names it. */
    String shown() {
        return switch (kind) {
            case END -> "the end of the statement";
            case STRING -> "the string '" + text.replace("'", "''") + "'";
            case WORD, QUOTED_IDENTIFIER, NUMBER, PARAMETER, SYMBOL -> "\"" + text + "\"";
        };
    }

    String upper() {
        return text.toUpperCase(Locale.ROOT);
    }
}
