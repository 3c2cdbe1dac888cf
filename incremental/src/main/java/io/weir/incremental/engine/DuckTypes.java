package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * DuckDB's types and Iceberg's, both ways. What Iceberg cannot hold has no answer here but an error; HUGEINT, which
 * integer sums have, becomes BIGINT, and a value beyond it fails when it is written.
 */
public final class DuckTypes {
    private DuckTypes() {}

    /** The type as DuckDB spells it. */
    public static String toDuck(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> "BOOLEAN";
            case INTEGER -> "INTEGER";
            case LONG -> "BIGINT";
            case FLOAT -> "FLOAT";
            case DOUBLE -> "DOUBLE";
            case DATE -> "DATE";
            case TIME -> "TIME";
            case TIMESTAMP -> ((Types.TimestampType) type).shouldAdjustToUTC() ? "TIMESTAMPTZ" : "TIMESTAMP";
            case TIMESTAMP_NANO -> {
                if (((Types.TimestampNanoType) type).shouldAdjustToUTC()) {
                    throw unsupported(type.toString());
                }
                yield "TIMESTAMP_NS";
            }
            case STRING -> "VARCHAR";
            case UUID -> "UUID";
            case FIXED, BINARY -> "BLOB";
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield "DECIMAL(" + decimal.precision() + "," + decimal.scale() + ")";
            }
            case STRUCT ->
                type.asStructType().fields().stream()
                        .map(field -> Quoting.name(field.name()) + " " + toDuck(field.type()))
                        .collect(Collectors.joining(", ", "STRUCT(", ")"));
            case LIST -> toDuck(type.asListType().elementType()) + "[]";
            case MAP ->
                "MAP(" + toDuck(type.asMapType().keyType()) + ", "
                        + toDuck(type.asMapType().valueType()) + ")";
            case VARIANT -> "VARIANT";
            case UNKNOWN -> "INTEGER";
            case GEOMETRY, GEOGRAPHY -> throw unsupported(type.toString());
        };
    }

    /** The Iceberg type of a DuckDB type as DESCRIBE spells it; nested fields are optional and numbered by {@code ids}. */
    public static Type toIceberg(String duck, IntSupplier ids) {
        return new Parser(duck, ids).whole();
    }

    private static EngineException unsupported(String type) {
        return new EngineException(
                SqlState.FEATURE_NOT_SUPPORTED,
                "a column of type " + type + " cannot be stored: Iceberg or the engine has no such type",
                "cast it to a type that both have, such as VARCHAR, BIGINT, DECIMAL or TIMESTAMP");
    }

    private static final class Parser {
        private final String text;
        private final IntSupplier ids;
        private int at;

        Parser(String text, IntSupplier ids) {
            this.text = text;
            this.ids = ids;
        }

        Type whole() {
            Type type = type();
            if (at != text.length()) {
                throw unsupported(text);
            }
            return type;
        }

        private Type type() {
            Type type = plain();
            while (at < text.length() && text.charAt(at) == '[') {
                at = text.indexOf(']', at) + 1;
                type = Types.ListType.ofOptional(ids.getAsInt(), type);
            }
            return type;
        }

        private Type plain() {
            String word = word();
            return switch (word.toUpperCase(Locale.ROOT)) {
                case "BOOLEAN" -> Types.BooleanType.get();
                case "TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT" -> Types.IntegerType.get();
                case "BIGINT", "UINTEGER", "HUGEINT" -> Types.LongType.get();
                case "UBIGINT" -> Types.DecimalType.of(20, 0);
                case "FLOAT" -> Types.FloatType.get();
                case "DOUBLE" -> Types.DoubleType.get();
                case "DATE" -> Types.DateType.get();
                case "TIME" -> suffix(" WITH TIME ZONE") ? fail() : Types.TimeType.get();
                case "TIMESTAMP" ->
                    suffix(" WITH TIME ZONE") ? Types.TimestampType.withZone() : Types.TimestampType.withoutZone();
                case "TIMESTAMPTZ" -> Types.TimestampType.withZone();
                case "TIMESTAMP_S", "TIMESTAMP_MS" -> Types.TimestampType.withoutZone();
                case "TIMESTAMP_NS" -> Types.TimestampNanoType.withoutZone();
                case "VARCHAR", "JSON" -> Types.StringType.get();
                case "\"NULL\"", "NULL" -> Types.StringType.get();
                case "UUID" -> Types.UUIDType.get();
                case "BLOB" -> Types.BinaryType.get();
                case "VARIANT" -> Types.VariantType.get();
                case "ENUM" -> {
                    skipParentheses();
                    yield Types.StringType.get();
                }
                case "DECIMAL" -> {
                    expect('(');
                    int precision = Integer.parseInt(word());
                    expect(',');
                    int scale = Integer.parseInt(word());
                    expect(')');
                    yield Types.DecimalType.of(precision, scale);
                }
                case "STRUCT" -> struct();
                case "MAP" -> {
                    expect('(');
                    Type key = type();
                    expect(',');
                    Type value = type();
                    expect(')');
                    yield Types.MapType.ofOptional(ids.getAsInt(), ids.getAsInt(), key, value);
                }
                default -> fail();
            };
        }

        private Type struct() {
            List<Types.NestedField> fields = new ArrayList<>();
            expect('(');
            do {
                String name = name();
                at++;
                fields.add(Types.NestedField.optional(ids.getAsInt(), name, type()));
            } while (take(','));
            expect(')');
            return Types.StructType.of(fields);
        }

        private Type fail() {
            throw unsupported(text);
        }

        private String name() {
            skipSpaces();
            if (text.charAt(at) != '"') {
                return word();
            }
            StringBuilder name = new StringBuilder();
            for (at++; ; at++) {
                if (text.charAt(at) == '"') {
                    at++;
                    if (at >= text.length() || text.charAt(at) != '"') {
                        return name.toString();
                    }
                }
                name.append(text.charAt(at));
            }
        }

        private String word() {
            skipSpaces();
            int start = at;
            while (at < text.length() && " (),[".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(start, at);
        }

        /** An ENUM's values, which may hold quotes and parentheses. */
        private void skipParentheses() {
            boolean quoted = false;
            for (; at < text.length(); at++) {
                if (text.charAt(at) == '\'') {
                    quoted = !quoted;
                } else if (!quoted && text.charAt(at) == ')') {
                    at++;
                    return;
                }
            }
        }

        private boolean suffix(String suffix) {
            boolean there = text.startsWith(suffix, at);
            at += there ? suffix.length() : 0;
            return there;
        }

        private boolean take(char wanted) {
            skipSpaces();
            boolean there = at < text.length() && text.charAt(at) == wanted;
            at += there ? 1 : 0;
            return there;
        }

        private void expect(char wanted) {
            if (!take(wanted)) {
                throw unsupported(text);
            }
        }

        private void skipSpaces() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
        }
    }
}
