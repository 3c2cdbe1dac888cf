package io.weir.tests.engines;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The rows an engine answered: integers as Long, fractions as BigDecimal or Double, all else as text, NULL as null. */
public record Answer(List<String> columns, List<List<Object>> rows) {
    static Answer of(JsonNode json) {
        List<String> columns = new ArrayList<>();
        json.path("columns").forEach(column -> columns.add(column.asText()));
        List<List<Object>> rows = new ArrayList<>();
        for (JsonNode row : json.path("rows")) {
            List<Object> cells = new ArrayList<>();
            row.forEach(cell -> cells.add(value(cell)));
            rows.add(Collections.unmodifiableList(cells));
        }
        return new Answer(List.copyOf(columns), List.copyOf(rows));
    }

    private static Object value(JsonNode cell) {
        return switch (cell.getNodeType()) {
            case NULL, MISSING -> null;
            case BOOLEAN -> cell.booleanValue();
            case NUMBER -> number(cell);
            case STRING -> cell.textValue();
            case ARRAY, OBJECT, BINARY, POJO -> cell.toString();
        };
    }

    private static Object number(JsonNode cell) {
        if (cell.isIntegralNumber()) {
            return cell.longValue();
        }
        BigDecimal exact = cell.decimalValue();
        return cell.isDouble() ? (Object) cell.doubleValue() : exact;
    }

    /** The only cell of the only row. */
    public Object single() {
        if (rows.size() != 1 || rows.getFirst().size() != 1) {
            throw new IllegalStateException("not a single value: " + rows);
        }
        return rows.getFirst().getFirst();
    }
}
