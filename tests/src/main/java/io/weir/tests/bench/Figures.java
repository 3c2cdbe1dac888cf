package io.weir.tests.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a benchmark measured. */
final class Figures {
    private final String bench;
    private final List<Figure> figures = new ArrayList<>();
    private boolean printed;

    record Figure(String bench, String system, String metric, double value, String unit, String of) {}

    Figures(String bench) {
        this.bench = bench;
    }

    /** @param of the case measured */
    void add(String of, String system, String metric, double value, String unit) {
        figures.add(new Figure(bench, system, metric, value, unit, of));
    }

    /** The benchmark has printed its figures itself, in a table of its own. */
    void printed() {
        printed = true;
    }

    void print(PrintStream out) {
        if (printed) {
            return;
        }
        out.printf("%-34s %-8s %-26s %14s %s%n", "case", "system", "metric", "value", "unit");
        for (Figure figure : figures) {
            out.printf(
                    Locale.ROOT,
                    "%-34s %-8s %-26s %14.2f %s%n",
                    figure.of(),
                    figure.system(),
                    figure.metric(),
                    figure.value(),
                    figure.unit());
        }
    }

    void write(Path file) throws IOException {
        ObjectMapper json = new ObjectMapper();
        var array = json.createArrayNode();
        for (Figure figure : figures) {
            array.addObject()
                    .put("bench", figure.bench())
                    .put("case", figure.of())
                    .put("system", figure.system())
                    .put("metric", figure.metric())
                    .put("value", figure.value())
                    .put("unit", figure.unit());
        }
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), array);
    }

    static double median(List<Double> values) {
        return percentile(values, 0.5);
    }

    static double percentile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
    }
}
