package io.weir.tests.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** {@code ./weir bench NAME [--json FILE]}: runs a benchmark, prints its table, writes its figures. */
public final class Bench {
    private Bench() {}

    private interface Run {
        /** @param options as given behind the name */
        void into(Figures figures, List<String> options) throws Exception;
    }

    private static final Map<String, Run> BENCHES = Map.of(
            "commits",
            CommitBench::run,
            "flow",
            (figures, _) -> FlowBench.run(figures),
            "load",
            LoadBench::run,
            "start",
            (figures, _) -> StartBench.run(figures),
            "startup",
            (figures, _) -> StartupBench.run(figures));

    public static void main(String[] arguments) throws Exception {
        List<String> given = Arrays.asList(arguments);
        if (given.isEmpty() || !BENCHES.containsKey(given.get(0))) {
            System.err.println("usage: ./weir bench NAME [--json FILE], NAME one of "
                    + BENCHES.keySet().stream().sorted().toList());
            System.exit(2);
        }
        Figures figures = new Figures(given.get(0));
        BENCHES.get(given.get(0)).into(figures, given.subList(1, given.size()));
        figures.print(System.out);
        int json = given.indexOf("--json");
        if (json >= 0) {
            write(figures, Path.of(given.get(json + 1)));
        }
        System.exit(0);
    }

    private static void write(Figures figures, Path file) throws IOException {
        figures.write(file);
        System.out.println("figures in " + file);
    }
}
