package io.weir.service.sql;

import java.util.ArrayList;
import java.util.List;

/** Where statements end in text that is being typed or piped in. */
public final class StatementEnd {
    private StatementEnd() {}

    /** Whether the text's last token is a semicolon outside strings and comments. */
    public static boolean isAtEnd(String text) {
        try {
            List<Token> tokens = Tokenizer.tokens(text);
            return tokens.size() > 1 && tokens.get(tokens.size() - 2).isSymbol(";");
        } catch (SqlException _) {
            // A string or comment is still open.
            return false;
        }
    }

    /** The statements of a text; those between BEGIN and COMMIT stay together. */
    public static List<String> split(String text) {
        var statements = new ArrayList<String>();
        boolean inTransaction = false;
        int start = 0;
        Token first = null;
        for (Token token : Tokenizer.tokens(text)) {
            if (first == null) {
                first = token;
            }
            boolean ends = token.isSymbol(";") || token.kind() == Token.Kind.END;
            if (!ends) {
                continue;
            }
            inTransaction = !first.is("COMMIT") && !first.is("ROLLBACK") && (inTransaction || first.is("BEGIN"));
            boolean empty = text.substring(start, token.start()).isBlank();
            if (!inTransaction || token.kind() == Token.Kind.END) {
                if (!empty) {
                    statements.add(text.substring(start, token.end()));
                }
                start = token.end();
            }
            first = null;
        }
        return statements;
    }
}
