package io.weir.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.StatementEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * The interactive shell: a statement runs when its semicolon is typed; history is kept between runs; Tab completes
 * keywords and the lake's names. Piped input runs statement by statement and stops at the first error.
 */
final class SqlShell {
    private static final List<String> KEYWORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "LIMIT",
            "JOIN",
            "INSERT INTO",
            "VALUES",
            "UPDATE",
            "SET",
            "DELETE FROM",
            "CREATE TABLE",
            "CREATE SCHEMA",
            "CREATE MATERIALIZED VIEW",
            "DROP TABLE",
            "DROP SCHEMA",
            "DROP MATERIALIZED VIEW",
            "UNDROP TABLE",
            "ALTER TABLE",
            "ALTER MATERIALIZED VIEW",
            "DETACH",
            "SUSPEND",
            "RESUME",
            "CONSTRAINT",
            "EXPECT",
            "CHECK",
            "ON VIOLATION DROP ROW",
            "SHOW TABLES",
            "SHOW SCHEMAS",
            "DESCRIBE",
            "BEGIN",
            "COMMIT");

    private final SqlClient client;
    private final SqlCommand.Format format;

    SqlShell(SqlClient client, SqlCommand.Format format) {
        this.client = client;
        this.format = format;
    }

    int run() {
        boolean interactive = System.console().isTerminal();
        try (Terminal terminal = interactive
                ? TerminalBuilder.builder().system(true).build()
                : TerminalBuilder.builder()
                        .streams(System.in, System.out)
                        .dumb(true)
                        .build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("weir")
                    .completer(completer())
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".weir_history"))
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            return interactive ? loop(reader, terminal) : piped(terminal);
        } catch (IOException e) {
            throw new CommandFailedException("the terminal cannot be used: " + e.getMessage(), e);
        }
    }

    private int loop(LineReader reader, Terminal terminal) {
        terminal.writer().println("Statements end with a semicolon. \\q or Ctrl-D leaves, Tab completes.");
        var pending = new StringBuilder();
        while (true) {
            String line;
            try {
                line = reader.readLine(pending.isEmpty() ? "weir> " : "   -> ");
            } catch (UserInterruptException e) {
                pending.setLength(0);
                continue;
            } catch (EndOfFileException e) {
                return 0;
            }
            if (pending.isEmpty() && (line.strip().equals("\\q") || line.strip().equalsIgnoreCase("exit"))) {
                return 0;
            }
            pending.append(line).append('\n');
            if (StatementEnd.isAtEnd(pending.toString())) {
                print(terminal, pending.toString());
                pending.setLength(0);
            }
        }
    }

    private int piped(Terminal terminal) throws IOException {
        String text = new String(System.in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        for (String statement : StatementEnd.split(text)) {
            if (!print(terminal, statement)) {
                return 1;
            }
        }
        return 0;
    }

    private boolean print(Terminal terminal, String sql) {
        try {
            terminal.writer().print(SqlCommand.answer(client, sql, format));
            return true;
        } catch (SqlException e) {
            terminal.writer().println("ERROR " + e.code() + ": " + e.getMessage());
            e.hint().ifPresent(hint -> terminal.writer().println("HINT: " + hint));
        } catch (CommandFailedException e) {
            terminal.writer().println(e.getMessage());
        } finally {
            terminal.flush();
        }
        return false;
    }

    private Completer completer() {
        var words = new ArrayList<String>(KEYWORDS);
        try {
            JsonNode tables = SqlClient.parse(client.run("SELECT schema, name FROM weir.tables", "json"));
            tables.forEach(table -> words.add(
                    table.path("schema").asText() + "." + table.path("name").asText()));
        } catch (SqlException | CommandFailedException e) {
            // Completion is a convenience: the first statement will say what is wrong with the server.
            words.add("weir.tables");
        }
        KEYWORDS.forEach(word -> words.add(word.toLowerCase(java.util.Locale.ROOT)));
        return new StringsCompleter(words);
    }
}
