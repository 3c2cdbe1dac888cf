package io.weir.service.sql;

import io.weir.service.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A query whose {@code t AT (VERSION => n | TIMESTAMP => ts)} have been replaced by plain names, since DuckDB would
 * read AT its own way: {@code text} names {@code __at.pN}, {@code reads} says which table and moment each stands for.
 * The table keeps its own name as its alias unless another was given.
 */
public record TimeTravel(String text, List<PastRead> reads) {
    public static final String SCHEMA = "__at";
    private static final Set<String> AFTER_TABLE = Set.of(
            "WHERE",
            "GROUP",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "HAVING",
            "JOIN",
            "INNER",
            "LEFT",
            "RIGHT",
            "FULL",
            "CROSS",
            "NATURAL",
            "SEMI",
            "ANTI",
            "ASOF",
            "POSITIONAL",
            "ON",
            "USING",
            "UNION",
            "EXCEPT",
            "INTERSECT",
            "WINDOW",
            "QUALIFY",
            "TABLESAMPLE",
            "SELECT",
            "FETCH");

    public TimeTravel {
        reads = List.copyOf(reads);
    }

    /** {@code moment} is an expression: a version number, or a timestamp. */
    public record PastRead(String replacement, QualifiedName table, Unit unit, Span moment) {}

    public enum Unit {
        VERSION,
        TIMESTAMP
    }

    public static TimeTravel in(Span query) {
        String source = query.text();
        List<Token> tokens = Tokenizer.tokens(source);
        var text = new StringBuilder();
        var reads = new ArrayList<PastRead>();
        int copied = 0;
        for (int i = 1; i < tokens.size() - 2; i++) {
            boolean travels = tokens.get(i).is("AT")
                    && tokens.get(i + 1).isSymbol("(")
                    && isName(tokens.get(i - 1))
                    && isUnit(tokens.get(i + 2));
            if (!travels) {
                continue;
            }
            int nameStart = i - 1;
            var parts = new ArrayList<String>(List.of(tokens.get(i - 1).text()));
            while (nameStart >= 2 && tokens.get(nameStart - 1).isSymbol(".") && isName(tokens.get(nameStart - 2))) {
                nameStart -= 2;
                parts.addFirst(tokens.get(nameStart).text());
            }
            int close = closing(source, tokens, i + 1);
            var cursor = tokens.subList(i + 3, close);
            if (cursor.size() < 2 || !cursor.getFirst().isSymbol("=>")) {
                throw SourcePosition.syntaxError(
                        source,
                        tokens.get(i + 3).start(),
                        "expected => and a value, found " + tokens.get(i + 3).shown(),
                        "Write AT (VERSION => 42) or AT (TIMESTAMP => '2026-01-01 12:00:00Z').");
            }
            int momentStart = cursor.get(1).start();
            Span moment =
                    new Span(source.substring(momentStart, cursor.getLast().end()), query.offset() + momentStart);
            var table = new QualifiedName(parts);
            String replacement = "p" + reads.size();
            reads.add(new PastRead(
                    replacement, table, Unit.valueOf(tokens.get(i + 2).upper()), moment));
            text.append(source, copied, tokens.get(nameStart).start());
            text.append(SCHEMA).append('.').append(replacement);
            if (!isAlias(tokens.get(close + 1))) {
                text.append(" AS ").append(QualifiedName.quote(table.name()));
            }
            copied = tokens.get(close).end();
            i = close;
        }
        text.append(source, copied, source.length());
        return new TimeTravel(text.toString(), reads);
    }

    private static int closing(String source, List<Token> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size() - 1; i++) {
            if (TokenCursor.isOpening(tokens.get(i))) {
                depth++;
            } else if (TokenCursor.isClosing(tokens.get(i)) && --depth == 0) {
                return i;
            }
        }
        throw SourcePosition.syntaxError(source, tokens.getLast().start(), "expected \")\" after AT (", "");
    }

    private static boolean isName(Token token) {
        return token.kind() == Kind.WORD || token.kind() == Kind.QUOTED_IDENTIFIER;
    }

    private static boolean isUnit(Token token) {
        return token.is("VERSION") || token.is("TIMESTAMP");
    }

    private static boolean isAlias(Token token) {
        return token.kind() == Kind.QUOTED_IDENTIFIER
                || (token.kind() == Kind.WORD && !AFTER_TABLE.contains(token.upper()));
    }
}
