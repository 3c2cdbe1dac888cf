package io.weir.incremental.view;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.Optional;

/**
 * A type whose values are the same on the heap as in the engine: equal where they are equal there, in the same order, and
 * exact. Floats, whose sums depend on their order, and types the heap spells otherwise are not among them.
 *
 * <p>Days and times are whole numbers here, since 1970 in days and microseconds, as Iceberg stores them.
 */
enum HeapType {
    BOOLEAN("BOOLEAN"),
    WHOLE("BIGINT"),
    DECIMAL("DECIMAL(38,0)"),
    TEXT("VARCHAR"),
    DATE("BIGINT"),
    TIMESTAMP("BIGINT"),
    TIMESTAMPTZ("BIGINT");

    /** The engine orders text by its bytes in UTF-8, which is the order of its code points. */
    private static final Comparator<String> BY_CODE_POINT = (a, b) -> {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            if (a.charAt(i) != b.charAt(i)) {
                boolean surrogates = Character.isSurrogate(a.charAt(i)) || Character.isSurrogate(b.charAt(i));
                return surrogates
                        ? Integer.compare(codePoint(a, i), codePoint(b, i))
                        : Character.compare(a.charAt(i), b.charAt(i));
            }
        }
        return Integer.compare(a.length(), b.length());
    };

    private final String held;

    HeapType(String held) {
        this.held = held;
    }

    /** The code point at {@code i}, or the one {@code i} is the second half of. */
    private static int codePoint(String text, int i) {
        boolean second = i > 0 && Character.isLowSurrogate(text.charAt(i));
        return text.codePointAt(second ? i - 1 : i);
    }

    /** Of a type as the engine spells it; empty for one that is better left to the engine. */
    static Optional<HeapType> of(String duckType) {
        return switch (duckType) {
            case "BOOLEAN" -> Optional.of(BOOLEAN);
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER" -> Optional.of(WHOLE);
            case "VARCHAR" -> Optional.of(TEXT);
            case "DATE" -> Optional.of(DATE);
            case "TIMESTAMP" -> Optional.of(TIMESTAMP);
            case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" -> Optional.of(TIMESTAMPTZ);
            default -> duckType.startsWith("DECIMAL(") ? Optional.of(DECIMAL) : Optional.empty();
        };
    }

    /** The expression as the engine hands its value to the heap. Infinite days and times fail. */
    String given(String expression) {
        return switch (this) {
            case BOOLEAN, WHOLE, DECIMAL, TEXT -> expression;
            case DATE -> "(" + expression + " - DATE '1970-01-01')";
            case TIMESTAMP, TIMESTAMPTZ -> "epoch_us(" + expression + ")";
        };
    }

    /** The expression of a value that came from the heap, as the engine's own type. */
    String taken(String expression, String duckType) {
        return switch (this) {
            case BOOLEAN, WHOLE, DECIMAL, TEXT -> Sql.cast(expression, duckType);
            case DATE -> "(DATE '1970-01-01' + CAST(" + expression + " AS INTEGER))";
            case TIMESTAMP -> "make_timestamp(" + expression + ")";
            case TIMESTAMPTZ -> "CAST(make_timestamp(" + expression + ") AS TIMESTAMPTZ)";
        };
    }

    /** The engine's type of a column that holds values as they are on the heap. */
    String held(String duckType) {
        return this == DECIMAL ? duckType : held;
    }

    /**
     * A value as the engine gave it, as it is held here.
     *
     * @throws ArithmeticException for a whole number beyond 64 bits
     */
    Object hold(Object value) {
        return switch (value) {
            case null -> null;
            case BigInteger number -> number.longValueExact();
            case BigDecimal number -> this == WHOLE ? (Object) number.longValueExact() : number;
            default -> value;
        };
    }

    /** Whether two values are the same; null is the same as null. */
    boolean same(Object a, Object b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        return compare(a, b) == 0;
    }

    /** Which of two values comes first. Neither is null. */
    int compare(Object a, Object b) {
        return switch (this) {
            case BOOLEAN -> ((Boolean) a).compareTo((Boolean) b);
            case WHOLE, DATE, TIMESTAMP, TIMESTAMPTZ -> ((Long) a).compareTo((Long) b);
            case DECIMAL -> ((BigDecimal) a).compareTo((BigDecimal) b);
            case TEXT -> BY_CODE_POINT.compare((String) a, (String) b);
        };
    }
}
