package io.weir.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A JSON array of rows as a table of text: numbers to the right, NULL shown as such, the row count below. */
final class TableText {
    private static final int WIDEST = 60;

    private TableText() {}

    static String of(JsonNode rows) {
        if (rows.isEmpty()) {
            return "(no rows)\n";
        }
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> row.fieldNames().forEachRemaining(names::add));
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.copyOf(names));
        for (JsonNode row : rows) {
            cells.add(names.stream().map(name -> cell(row.get(name))).toList());
        }
        int[] widths = new int[names.size()];
        for (List<String> line : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        var text = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            JsonNode row = i == 0 ? null : rows.get(i - 1);
            line(text, cells.get(i), widths, names, row);
            if (i == 0) {
                rule(text, widths);
            }
        }
        return text.append('(')
                .append(rows.size())
                .append(rows.size() == 1 ? " row)\n" : " rows)\n")
                .toString();
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths, Set<String> names, JsonNode row) {
        int i = 0;
        for (String name : names) {
            String cell = cells.get(i);
            String pad = " ".repeat(widths[i] - cell.length());
            boolean right = row != null && row.path(name).isNumber();
            text.append(i == 0 ? " " : " | ").append(right ? pad + cell : cell + pad);
            i++;
        }
        int end = text.length();
        while (text.charAt(end - 1) == ' ') {
            end--;
        }
        text.setLength(end);
        text.append('\n');
    }

    private static void rule(StringBuilder text, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "-" : "-+-").append("-".repeat(widths[i]));
        }
        text.append("-\n");
    }

    private static String cell(JsonNode value) {
        if (value == null || value.isNull()) {
            return "NULL";
        }
        String text = value.isValueNode() ? value.asText() : value.toString();
        String oneLine = text.replace("\n", "\\n");
        return oneLine.length() > WIDEST ? oneLine.substring(0, WIDEST - 1) + "…" : oneLine;
    }
}
