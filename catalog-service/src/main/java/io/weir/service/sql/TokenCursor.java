package io.weir.service.sql;

import io.weir.service.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A place in the tokens of a request, with the moves every part of the grammar needs: look, take, expect, names, and
 * spans of text left to DuckDB. Errors say where they are and what was expected.
 */
final class TokenCursor {
    private static final Set<String> RESERVED =
            Set.of(("all analyse analyze and any array as asc asymmetric both case cast check collate column constraint"
                            + " create default deferrable desc describe distinct do else end except false fetch for"
                            + " foreign from group having in initially intersect into lambda lateral leading limit not"
                            + " null offset on only or order pivot placing primary qualify references returning select"
                            + " show some summarize symmetric table then to trailing true union unique unpivot using"
                            + " variadic when where window with")
                    .split(" "));

    private final String source;
    private final List<Token> tokens;
    private int at;

    TokenCursor(String source) {
        this.source = source;
        this.tokens = Tokenizer.tokens(source);
    }

    Token peek() {
        return tokens.get(at);
    }

    Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    Token take() {
        Token token = peek();
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    boolean atEnd() {
        return peek().kind() == Kind.END;
    }

    boolean atStatementEnd() {
        return atEnd() || peek().isSymbol(";");
    }

    /** Whether these words come next; takes nothing. */
    boolean sees(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!peek(i).is(words[i])) {
                return false;
            }
        }
        return true;
    }

    /** Takes these words if they come next, all or none. */
    boolean accept(String... words) {
        if (!sees(words)) {
            return false;
        }
        at += words.length;
        return true;
    }

    boolean acceptSymbol(String symbol) {
        if (!peek().isSymbol(symbol)) {
            return false;
        }
        at++;
        return true;
    }

    void expect(String... words) {
        for (String word : words) {
            if (!accept(word)) {
                throw expected(word);
            }
        }
    }

    void expectSymbol(String symbol) {
        if (!acceptSymbol(symbol)) {
            throw expected("\"" + symbol + "\"");
        }
    }

    SqlException expected(String what) {
        return error("expected " + what + ", found " + peek().shown(), "");
    }

    SqlException error(String what, String hint) {
        return SourcePosition.syntaxError(source, peek().start(), what, hint);
    }

    boolean acceptIfExists() {
        return accept("IF", "EXISTS");
    }

    boolean acceptIfNotExists() {
        return accept("IF", "NOT", "EXISTS");
    }

    String identifier(String what) {
        Token token = peek();
        if (token.kind() == Kind.WORD && RESERVED.contains(token.text().toLowerCase(Locale.ROOT))) {
            throw error(
                    "expected " + what + ", found the reserved word " + token.shown(),
                    "Write \"" + token.text() + "\" in double quotes to use it as a name.");
        }
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED_IDENTIFIER) {
            throw expected(what);
        }
        return take().text();
    }

    boolean seesIdentifier() {
        Token token = peek();
        return token.kind() == Kind.QUOTED_IDENTIFIER
                || (token.kind() == Kind.WORD && !RESERVED.contains(token.text().toLowerCase(Locale.ROOT)));
    }

    /** After a dot any word is a name, reserved or not. */
    QualifiedName qualifiedName(String what) {
        var parts = new ArrayList<String>();
        parts.add(identifier(what));
        while (acceptSymbol(".")) {
            Token token = peek();
            if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED_IDENTIFIER) {
                throw expected("a name after \".\"");
            }
            parts.add(take().text());
        }
        return new QualifiedName(parts);
    }

    List<String> identifierList(String what) {
        expectSymbol("(");
        var names = new ArrayList<String>();
        do {
            names.add(identifier(what));
        } while (acceptSymbol(","));
        expectSymbol(")");
        return names;
    }

    /** Everything to the end of the statement, which must not be nothing. */
    Span rest(String what) {
        return span(what, token -> false);
    }

    /**
     * The text up to the first token outside parentheses for which {@code stop} holds, a closing parenthesis that
     * was not opened here, or the end of the statement.
     */
    Span span(String what, Predicate<Token> stop) {
        int first = at;
        int depth = 0;
        while (!atEnd()) {
            Token token = peek();
            if (depth == 0 && (token.isSymbol(";") || isClosing(token) || stop.test(token))) {
                break;
            }
            if (isOpening(token)) {
                depth++;
            } else if (isClosing(token)) {
                depth--;
            }
            at++;
        }
        if (depth > 0) {
            throw expected("\")\"");
        }
        if (at == first) {
            throw expected(what);
        }
        int start = tokens.get(first).start();
        return new Span(source.substring(start, tokens.get(at - 1).end()), start);
    }

    Span parenthesized(String what) {
        expectSymbol("(");
        Span span = span(what, token -> false);
        expectSymbol(")");
        return span;
    }

    /** The token before the next one; END when there is none. */
    Token previous() {
        return at == 0 ? tokens.getLast() : tokens.get(at - 1);
    }

    static boolean isOpening(Token token) {
        return token.isSymbol("(") || token.isSymbol("[") || token.isSymbol("{");
    }

    static boolean isClosing(Token token) {
        return token.isSymbol(")") || token.isSymbol("]") || token.isSymbol("}");
    }
}
