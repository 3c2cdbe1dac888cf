package io.weir.incremental.engine;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.BinaryUtil;
import org.apache.iceberg.util.UnicodeUtil;

/**
 * Bounds of a column, from texts to Iceberg's bytes. Strings and binaries are cut to Iceberg's default of 16, the upper
 * one rounded up, or null where nothing short is above it. What cannot be told exactly is left out.
 */
@SuppressWarnings("UnusedVariable")
record Bounds(ByteBuffer lower, ByteBuffer upper) {
    private static final int LENGTH = 16;

    static Optional<Bounds> of(Type type, String min, String max) {
        return switch (type.typeId()) {
            case STRING -> {
                Literal<CharSequence> above = UnicodeUtil.truncateStringMax(Literal.of(max), LENGTH);
                yield Optional.of(new Bounds(
                        bytes(type, UnicodeUtil.truncateString(min, LENGTH)),
                        above == null ? null : bytes(type, above.value())));
            }
            case BINARY -> {
                ByteBuffer above = BinaryUtil.truncateBinaryMax(hex(max), LENGTH);
                yield Optional.of(new Bounds(BinaryUtil.truncateBinary(hex(min), LENGTH), above));
            }
            case FLOAT, DOUBLE -> numbers(type, min, max);
            default -> plain(type, min, max);
        };
    }

    private static Optional<Bounds> plain(Type type, String min, String max) {
        try {
            Object lower = value(type, min);
            Object upper = value(type, max);
            return lower == null || upper == null
                    ? Optional.empty()
                    : Optional.of(new Bounds(bytes(type, lower), bytes(type, upper)));
        } catch (DateTimeException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Null for types that have no bounds here. */
    private static Object value(Type type, String text) {
        return switch (type.typeId()) {
            case BOOLEAN -> text.equals("1") || text.equals("true");
            case INTEGER -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case DECIMAL -> new BigDecimal(text).setScale(((Types.DecimalType) type).scale());
            case DATE -> Math.toIntExact(LocalDate.parse(text).toEpochDay());
            case TIME -> LocalTime.parse(text).toNanoOfDay() / 1000;
            case TIMESTAMP -> ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), timestamp(text));
            case TIMESTAMP_NANO -> ChronoUnit.NANOS.between(LocalDateTime.of(1970, 1, 1, 0, 0), timestamp(text));
            default -> null;
        };
    }

    private static LocalDateTime timestamp(String text) {
        String utc = text.endsWith("+00") ? text.substring(0, text.length() - 3) : text;
        return LocalDateTime.parse(utc.replace(' ', 'T'))
                .atOffset(ZoneOffset.UTC)
                .toLocalDateTime();
    }

    /** Zeros have two signs, and Parquet's statistics do not say which were there. */
    private static Optional<Bounds> numbers(Type type, String min, String max) {
        double lower = number(min);
        double upper = number(max);
        if (Double.isNaN(lower) || Double.isNaN(upper)) {
            return Optional.empty();
        }
        double below = lower == 0 ? -0.0 : lower;
        double above = upper == 0 ? 0.0 : upper;
        return Optional.of(
                type.typeId() == Type.TypeID.FLOAT
                        ? new Bounds(bytes(type, (float) below), bytes(type, (float) above))
                        : new Bounds(bytes(type, below), bytes(type, above)));
    }

    private static double number(String text) {
        return switch (text) {
            case "inf", "Infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    yield Double.NaN;
                }
            }
        };
    }

    private static ByteBuffer hex(String text) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(text));
    }

    private static ByteBuffer bytes(Type type, Object value) {
        return Conversions.toByteBuffer(type, value);
    }
}
