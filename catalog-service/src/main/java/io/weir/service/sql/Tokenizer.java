package io.weir.service.sql;

import io.weir.service.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts statements into tokens by the lexical rules of Postgres and DuckDB: comments (nested ones too), quoted
 * identifiers, strings, escape strings, dollar quotes and parameters. Comments and white space are left out. The last
 * token is always {@link Kind#END}. It knows no grammar.
 */
final class Tokenizer {
    private static final List<String> LONG_SYMBOLS = List.of("=>", "::", "<=", ">=", "<>", "!=", "||", "->", ":=");

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Tokenizer(String source) {
        this.source = source;
    }

    static List<Token> tokens(String source) {
        return new Tokenizer(source).run();
    }

    private List<Token> run() {
        while (true) {
            skipBlanks();
            if (at >= source.length()) {
                tokens.add(new Token(Kind.END, "", source.length(), source.length()));
                return List.copyOf(tokens);
            }
            next();
        }
    }

    private void skipBlanks() {
        while (at < source.length()) {
            if (Character.isWhitespace(source.charAt(at))) {
                at++;
            } else if (source.startsWith("--", at)) {
                int end = source.indexOf('\n', at);
                at = end < 0 ? source.length() : end + 1;
            } else if (source.startsWith("/*", at)) {
                skipBlockComment();
            } else {
                return;
            }
        }
    }

    private void skipBlockComment() {
        int start = at;
        int depth = 0;
        do {
            if (source.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (source.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else if (at >= source.length()) {
                throw SourcePosition.syntaxError(source, start, "this comment has no end", "Close it with */.");
            } else {
                at++;
            }
        } while (depth > 0);
    }

    private void next() {
        int start = at;
        char first = source.charAt(at);
        if (first == '\'') {
            add(Kind.STRING, start, quoted('\'', false));
        } else if (first == '"') {
            String name = quoted('"', false);
            if (name.isEmpty()) {
                throw SourcePosition.syntaxError(source, start, "a quoted identifier is empty", "");
            }
            add(Kind.QUOTED_IDENTIFIER, start, name);
        } else if ((first == 'e' || first == 'E') && source.startsWith("'", at + 1)) {
            at++;
            add(Kind.STRING, start, quoted('\'', true));
        } else if (first == '$') {
            dollar(start);
        } else if (isDigit(first) || (first == '.' && at + 1 < source.length() && isDigit(source.charAt(at + 1)))) {
            number(start);
        } else if (isWordStart(first)) {
            while (at < source.length() && isWordPart(source.charAt(at))) {
                at++;
            }
            add(Kind.WORD, start, source.substring(start, at));
        } else {
            symbol(start);
        }
    }

    private void symbol(int start) {
        for (String symbol : LONG_SYMBOLS) {
            if (source.startsWith(symbol, at)) {
                at += symbol.length();
                add(Kind.SYMBOL, start, symbol);
                return;
            }
        }
        at += Character.charCount(source.codePointAt(at));
        add(Kind.SYMBOL, start, source.substring(start, at));
    }

    private void number(int start) {
        while (at < source.length()) {
            char c = source.charAt(at);
            boolean exponentSign = (c == '+' || c == '-')
                    && (source.charAt(at - 1) == 'e' || source.charAt(at - 1) == 'E')
                    && !source.startsWith("0x", start);
            if (!Character.isLetterOrDigit(c) && c != '.' && c != '_' && !exponentSign) {
                break;
            }
            at++;
        }
        add(Kind.NUMBER, start, source.substring(start, at));
    }

    private void dollar(int start) {
        int end = at + 1;
        while (end < source.length() && isTagPart(source.charAt(end))) {
            end++;
        }
        boolean opensQuote = end < source.length()
                && source.charAt(end) == '$'
                && (end == at + 1 || !isDigit(source.charAt(at + 1)));
        if (opensQuote) {
            String tag = source.substring(at, end + 1);
            int close = source.indexOf(tag, end + 1);
            if (close < 0) {
                throw SourcePosition.syntaxError(
                        source, start, "this dollar-quoted string has no end", "Close it with " + tag + ".");
            }
            at = close + tag.length();
            add(Kind.STRING, start, source.substring(end + 1, close));
        } else if (end > at + 1) {
            at = end;
            add(Kind.PARAMETER, start, source.substring(start + 1, end));
        } else {
            symbol(start);
        }
    }

    private String quoted(char quote, boolean escapes) {
        int start = at;
        var value = new StringBuilder();
        at++;
        while (at < source.length()) {
            char c = source.charAt(at);
            if (c == quote) {
                if (at + 1 < source.length() && source.charAt(at + 1) == quote) {
                    value.append(quote);
                    at += 2;
                    continue;
                }
                at++;
                return value.toString();
            }
            if (escapes && c == '\\' && at + 1 < source.length()) {
                value.append(unescaped(source.charAt(at + 1)));
                at += 2;
                continue;
            }
            value.append(c);
            at++;
        }
        String what = quote == '"' ? "this quoted identifier" : "this string";
        throw SourcePosition.syntaxError(source, start, what + " has no end", "Close it with " + quote + ".");
    }

    private static char unescaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> c;
        };
    }

    private void add(Kind kind, int start, String text) {
        tokens.add(new Token(kind, text, start, at));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_' || Character.isSurrogate(c);
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || Character.isDigit(c) || c == '$';
    }

    private static boolean isTagPart(char c) {
        return isWordStart(c) || isDigit(c);
    }
}
