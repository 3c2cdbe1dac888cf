package io.weir.incremental.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/** Random queries of the kinds views can hold, over any schema, and random values for its columns. */
final class RandomViews {
    private final Random random;

    RandomViews(Random random) {
        this.random = random;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** A literal of the type, of few different values, NULL now and then. */
    String literal(Type type) {
        if (chance(12)) {
            return "NULL";
        }
        return switch (type.typeId()) {
            case BOOLEAN -> pick(List.of("true", "false"));
            case INTEGER -> Integer.toString(random.nextInt(-5, 6));
            case LONG -> Long.toString(chance(10) ? random.nextLong(-1L << 40, 1L << 40) : random.nextInt(-9, 10));
            case DOUBLE ->
                pick(List.of("0.0", "-0.0", "0.1", "0.2", "-7.25", "1e10", "3.3333", "'NaN'::DOUBLE", "12.5", "1e-3"));
            case DECIMAL -> random.nextInt(-50, 50) + "." + random.nextInt(10) + random.nextInt(10);
            case DATE -> "DATE '2024-0" + (1 + random.nextInt(4)) + "-" + (10 + random.nextInt(15)) + "'";
            case TIMESTAMP ->
                "TIMESTAMPTZ '2024-02-0" + (1 + random.nextInt(3)) + " 0" + random.nextInt(10) + ":30:00Z'";
            case STRING -> pick(List.of("'a'", "'b'", "'B'", "''", "'it''s'", "'7'", "'ü'"));
            default -> throw new IllegalArgumentException("no literals of " + type);
        };
    }

    /** A column of a join's schema is called by its table's alias and its name. */
    private static String quoted(NestedField field) {
        return '"' + field.name().replace(".", "\".\"") + '"';
    }

    private static boolean isNumber(Type type) {
        return switch (type.typeId()) {
            case INTEGER, LONG, DOUBLE, DECIMAL -> true;
            default -> false;
        };
    }

    private static boolean isExact(Type type) {
        return isNumber(type) && type.typeId() != Type.TypeID.DOUBLE;
    }

    private NestedField column(Schema schema) {
        return pick(schema.columns());
    }

    private List<NestedField> numbers(Schema schema) {
        return schema.columns().stream().filter(field -> isNumber(field.type())).toList();
    }

    private String scalar(Schema schema) {
        NestedField field = column(schema);
        String name = quoted(field);
        if (chance(45)) {
            return name;
        }
        return switch (field.type().typeId()) {
            case BOOLEAN -> pick(List.of("NOT " + name, name + " IS NULL", "coalesce(" + name + ", true)"));
            case INTEGER, LONG ->
                pick(List.of(
                        name + " + " + random.nextInt(5),
                        name + " % 3",
                        "abs(" + name + " % 4)",
                        "-" + name,
                        "CASE WHEN " + name + " > 0 THEN 'pos' ELSE 'neg' END",
                        "coalesce(" + name + ", 0)",
                        name + " / 2",
                        name + "::VARCHAR"));
            case DOUBLE -> pick(List.of(name + " * 2", "round(" + name + ", 1)", "coalesce(" + name + ", 0.5)"));
            case DECIMAL -> pick(List.of(name + " + 1", name + " * 2", "floor(" + name + ")", "-" + name));
            case DATE ->
                pick(List.of("date_trunc('month', " + name + ")", "extract(day FROM " + name + ")", name + " + 1"));
            case TIMESTAMP -> pick(List.of("date_trunc('hour', " + name + ")", "date_trunc('day', " + name + ")"));
            case STRING ->
                pick(List.of(
                        "upper(" + name + ")",
                        name + " || '!'",
                        "length(" + name + ")",
                        "TRY_CAST(" + name + " AS INTEGER)",
                        "coalesce(" + name + ", 'none')"));
            default -> name;
        };
    }

    String condition(Schema schema) {
        NestedField field = column(schema);
        String name = quoted(field);
        String simple = pick(List.of(
                name + " IS NOT NULL",
                name + " IS NULL",
                name + " <> " + literal(field.type()),
                name + " >= " + literal(field.type()),
                name + " < " + literal(field.type()),
                name + " IN (" + literal(field.type()) + ", " + literal(field.type()) + ")",
                name + " IS DISTINCT FROM " + literal(field.type())));
        return chance(25) ? "(" + simple + (chance(50) ? " AND " : " OR ") + condition(schema) + ")" : simple;
    }

    String query(String source, Schema schema) {
        String from = " FROM " + source + (chance(30) ? " AS q" : "");
        String where = chance(45) ? " WHERE " + condition(schema) : "";
        return switch (random.nextInt(10)) {
            case 0 -> "SELECT *" + from + where;
            case 1, 2, 3 -> "SELECT " + scalars(schema, 1 + random.nextInt(4)) + from + where;
            case 4 -> "SELECT DISTINCT " + scalars(schema, 1 + random.nextInt(2)) + from + where;
            default -> grouped(schema, from + where);
        };
    }

    /** Tables joined, and the columns that can be mentioned of them. */
    private record Joined(String sql, List<NestedField> columns) {
        Schema schema() {
            List<NestedField> fields = new ArrayList<>();
            columns.forEach(
                    column -> fields.add(NestedField.optional(fields.size() + 1, column.name(), column.type())));
            return new Schema(fields);
        }
    }

    /** A query over two or three of the sources, one perhaps several times. */
    String join(Map<String, Schema> sources) {
        Joined from = joined(sources, "x0");
        int tables = 2 + random.nextInt(2);
        for (int i = 1; i < tables; i++) {
            Joined right = chance(15) && i == 1
                    ? joined(joined(sources, "y0"), joined(sources, "y1"))
                    : joined(sources, "x" + i);
            from = joined(from, right);
        }
        Schema schema = from.schema();
        String where = chance(40) ? " WHERE " + condition(schema) : "";
        return chance(55)
                ? "SELECT " + scalars(schema, 1 + random.nextInt(4)) + " FROM " + from.sql() + where
                : chance(15)
                        ? "SELECT DISTINCT " + scalars(schema, 1 + random.nextInt(2)) + " FROM " + from.sql() + where
                        : grouped(schema, " FROM " + from.sql() + where);
    }

    private Joined joined(Map<String, Schema> sources, String alias) {
        String source = pick(List.copyOf(sources.keySet()));
        List<NestedField> columns = sources.get(source).columns().stream()
                .map(field -> NestedField.optional(field.fieldId(), alias + "." + field.name(), field.type()))
                .toList();
        return new Joined(source + " AS " + alias, columns);
    }

    private Joined joined(Joined left, Joined right) {
        String kind = pick(List.of(
                "JOIN",
                "JOIN",
                "LEFT JOIN",
                "LEFT JOIN",
                "RIGHT JOIN",
                "FULL JOIN",
                "FULL JOIN",
                "SEMI JOIN",
                "ANTI JOIN"));
        List<NestedField> both = new ArrayList<>(left.columns());
        both.addAll(right.columns());
        String sql = left.sql() + " " + kind + " "
                + (right.sql().contains(" JOIN ") ? "(" + right.sql() + ")" : right.sql()) + on(left, right, both);
        boolean onlyLeft = kind.startsWith("SEMI") || kind.startsWith("ANTI");
        return new Joined(sql, onlyLeft ? left.columns() : both);
    }

    private String on(Joined left, Joined right, List<NestedField> both) {
        List<String> same = left.columns().stream()
                .filter(one -> named(left, bare(one)).size() == 1)
                .filter(one -> named(right, bare(one)).size() == 1)
                .filter(one -> named(right, bare(one)).getFirst().type().equals(one.type()))
                .map(RandomViews::bare)
                .toList();
        if (!same.isEmpty() && chance(20)) {
            return " USING (\"" + pick(same) + "\")";
        }
        List<String> equal = new ArrayList<>();
        for (NestedField one : left.columns()) {
            for (NestedField other : right.columns()) {
                if (one.type().equals(other.type())) {
                    equal.add(quoted(one)
                            + (chance(85) ? " = " : chance(50) ? " IS NOT DISTINCT FROM " : " < ")
                            + quoted(other));
                }
            }
        }
        Schema schema = new Joined("", both).schema();
        String condition = equal.isEmpty() ? condition(schema) : pick(equal);
        return " ON " + condition + (chance(30) ? (chance(70) ? " AND " : " OR ") + condition(schema) : "");
    }

    private static List<NestedField> named(Joined from, String name) {
        return from.columns().stream()
                .filter(column -> bare(column).equals(name))
                .toList();
    }

    private static String bare(NestedField field) {
        return field.name().substring(field.name().indexOf('.') + 1);
    }

    private String scalars(Schema schema, int count) {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(scalar(schema) + " AS c" + i);
        }
        return String.join(", ", items);
    }

    private String grouped(Schema schema, String fromWhere) {
        int keys = random.nextInt(3);
        List<String> items = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        boolean all = keys > 0 && chance(20);
        for (int i = 0; i < keys; i++) {
            String key = chance(60) ? quoted(column(schema)) : scalar(schema);
            boolean shown = all || chance(85);
            if (shown) {
                items.add(key + " AS g" + i);
            }
            groups.add(shown && chance(30) ? Integer.toString(items.size()) : key);
        }
        int aggregates = 1 + random.nextInt(3);
        for (int i = 0; i < aggregates; i++) {
            items.add(aggregate(schema) + " AS a" + i);
        }
        String groupBy = keys == 0 ? "" : " GROUP BY " + (all ? "ALL" : String.join(", ", groups));
        return "SELECT " + String.join(", ", items) + fromWhere + groupBy + (chance(20) ? having(schema) : "");
    }

    private String having(Schema schema) {
        NestedField field = column(schema);
        return " HAVING "
                + pick(List.of(
                        "count(*) > 1", "count(*) <= 2", "max(" + quoted(field) + ") IS NOT NULL", "count(*) % 2 = 0"));
    }

    private String aggregate(Schema schema) {
        String filter = chance(20) ? " FILTER (WHERE " + condition(schema) + ")" : "";
        NestedField any = column(schema);
        List<NestedField> numbers = numbers(schema);
        if (numbers.isEmpty() || chance(45)) {
            return pick(List.of(
                    "count(*)" + filter,
                    "count(" + quoted(any) + ")" + filter,
                    "min(" + quoted(any) + ")" + filter,
                    "max(" + quoted(any) + ")" + filter,
                    "count(*) * 2",
                    "count(DISTINCT " + quoted(any) + ")"));
        }
        NestedField number = pick(numbers);
        String name = quoted(number);
        if (!isExact(number.type())) {
            return pick(List.of("sum(" + name + ")", "avg(" + name + ")", "max(" + name + ")")) + filter;
        }
        return pick(List.of(
                "sum(" + name + ")" + filter,
                "sum(" + name + " % 7)" + filter,
                "avg(" + name + ")" + filter,
                "sum(" + name + ") / count(*)",
                "min(" + name + ")" + filter,
                "max(-" + name + ")" + filter,
                "coalesce(sum(" + name + "), 0)"));
    }

    List<Constraint> constraints(Schema schema) {
        List<Constraint> constraints = new ArrayList<>();
        while (chance(25)) {
            constraints.add(new Constraint(
                    "e" + constraints.size(), condition(schema), chance(60) ? OnViolation.DROP : OnViolation.KEEP));
        }
        return constraints;
    }

    /** {@code SELECT …} of some rows for a table. */
    String rows(Schema schema, int count) {
        List<String> selects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> values = new ArrayList<>();
            for (NestedField field : schema.columns()) {
                values.add(literal(field.type()) + " AS " + quoted(field));
            }
            selects.add("SELECT " + String.join(", ", values));
        }
        return String.join(" UNION ALL ", selects);
    }

    /** A REPLACE list for an update. */
    String assignment(Schema schema) {
        NestedField field = column(schema);
        String value = literal(field.type());
        if (isExact(field.type()) && chance(40)) {
            value = quoted(field) + " + 1";
        }
        return "CAST(" + value + " AS " + io.weir.incremental.engine.DuckTypes.toDuck(field.type()) + ") AS "
                + quoted(field);
    }
}
