package io.weir.service.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs statements on a server, or opens a shell. */
@Command(name = "sql", description = "Run statements on a server, or open a shell with history and completion.")
final class SqlCommand implements Callable<Integer> {
    enum Format {
        table,
        json,
        csv
    }

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:WEIR_URL:-http://127.0.0.1:8181}",
            description = "the server (default: ${DEFAULT-VALUE})")
    String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:WEIR_TOKEN}",
            description = "bearer token, where the server wants one (default: the environment's WEIR_TOKEN)")
    String token;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Format format;

    @Parameters(arity = "0..1", paramLabel = "STATEMENTS", description = "separated by semicolons; none: a shell")
    String statements;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (var client = new SqlClient(url, Optional.ofNullable(token).filter(text -> !text.isBlank()))) {
            if (statements == null) {
                return new SqlShell(client, format).run();
            }
            out.print(answer(client, statements, format));
            out.flush();
            return 0;
        }
    }

    static String answer(SqlClient client, String sql, Format format) {
        return switch (format) {
            case table -> TableText.of(SqlClient.parse(client.run(sql, "json")));
            case json -> withNewline(client.run(sql, "json"));
            case csv -> withNewline(client.run(sql, "csv"));
        };
    }

    private static String withNewline(String text) {
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }
}
