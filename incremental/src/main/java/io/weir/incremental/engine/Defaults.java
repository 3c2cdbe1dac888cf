package io.weir.incremental.engine;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** What a column reads as in files written before it was added: its initial default, or NULL. */
final class Defaults {
    private Defaults() {}

    /** As an expression of the column's type. */
    static String initial(Types.NestedField field) {
        String type = DuckTypes.toDuck(field.type());
        return "CAST(" + literal(field) + " AS " + type + ")";
    }

    /** As a string that casts to the column's type, or NULL. */
    static String literal(Types.NestedField field) {
        Object value = field.initialDefault();
        return value == null ? "NULL" : Quoting.text(text(field.type(), value));
    }

    private static String text(Type type, Object value) {
        return switch (type.typeId()) {
            case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
            case TIME -> LocalTime.ofNanoOfDay((Long) value * 1000).toString();
            case TIMESTAMP -> {
                Instant instant = Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS);
                yield ((Types.TimestampType) type).shouldAdjustToUTC()
                        ? instant.toString()
                        : instant.atOffset(ZoneOffset.UTC).toLocalDateTime().toString();
            }
            case TIMESTAMP_NANO ->
                Instant.EPOCH
                        .plusNanos((Long) value)
                        .atOffset(ZoneOffset.UTC)
                        .toLocalDateTime()
                        .toString();
            case DECIMAL -> ((BigDecimal) value).toPlainString();
            case FIXED, BINARY -> {
                StringBuilder hex = new StringBuilder();
                ByteBuffer bytes = ((ByteBuffer) value).duplicate();
                while (bytes.hasRemaining()) {
                    hex.append(String.format(Locale.ROOT, "\\x%02X", bytes.get()));
                }
                yield hex.toString();
            }
            default -> value.toString();
        };
    }
}
