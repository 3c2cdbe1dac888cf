package io.weir.tests.slt;

import java.util.ArrayList;
import java.util.List;

/**
 * One record of an slt file: {@code statement ok}, {@code statement error CODE words}, {@code query [rowsort] [names]}
 * or {@code sleep SECONDS}, with its statement and, after {@code ----}, the rows it must give.
 */
record SltRecord(int line, List<String> words, String sql, List<String> expected) {

    static List<SltRecord> parse(List<String> lines) {
        List<SltRecord> records = new ArrayList<>();
        List<String> block = new ArrayList<>();
        int start = 0;
        for (int number = 1; number <= lines.size() + 1; number++) {
            String line = number <= lines.size() ? lines.get(number - 1) : "";
            if (line.startsWith("#")) {
                continue;
            }
            if (!line.isBlank()) {
                start = block.isEmpty() ? number : start;
                block.add(line);
            } else if (!block.isEmpty()) {
                records.add(of(start, block));
                block = new ArrayList<>();
            }
        }
        return records;
    }

    private static SltRecord of(int line, List<String> block) {
        List<String> body = block.subList(1, block.size());
        int cut = body.contains("----") ? body.indexOf("----") : body.size();
        List<String> expected = cut < body.size() ? body.subList(cut + 1, body.size()) : List.of();
        return new SltRecord(
                line,
                List.of(block.getFirst().strip().split("\\s+")),
                String.join("\n", body.subList(0, cut)),
                List.copyOf(expected));
    }
}
