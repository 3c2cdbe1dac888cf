package io.weir.coordinator;

import java.time.Instant;

/**
 * Reads instants as {@link Instant#toString} writes them. A start reads some hundred thousand, for which
 * {@link Instant#parse} takes longer than for all the rest of the text.
 */
final class InstantText {
    private static final String PATTERN = "0000-00-00T00:00:00";
    private static final int[] DAYS_BEFORE_MONTH = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    private static final long DAYS_UNTIL_1970 = 719_162;
    private static final int NANOS_DIGITS = 9;

    private InstantText() {}

    /** @throws java.time.format.DateTimeParseException where the text is no instant */
    static Instant parse(String text) {
        int end = text.length() - 1;
        if (!isUsual(text, end)) {
            return Instant.parse(text);
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59) {
            return Instant.parse(text);
        }
        long seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
        return Instant.ofEpochSecond(seconds, nanos(text, end));
    }

    /** As {@link #PATTERN} and {@code Z}, with up to nine digits of a second's fraction between. */
    private static boolean isUsual(String text, int end) {
        int digits = end - PATTERN.length() - 1;
        if (end < PATTERN.length() || text.charAt(end) != 'Z' || digits == 0 || digits > NANOS_DIGITS) {
            return false;
        }
        for (int i = 0; i < end; i++) {
            char expected = i < PATTERN.length() ? PATTERN.charAt(i) : i == PATTERN.length() ? '.' : '0';
            char found = text.charAt(i);
            if (expected == '0' ? found < '0' || found > '9' : found != expected) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int until) {
        int number = 0;
        for (int i = from; i < until; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }

    private static int nanos(String text, int end) {
        int from = Math.min(end, PATTERN.length() + 1);
        int nanos = number(text, from, end);
        for (int digits = end - from; digits < NANOS_DIGITS; digits++) {
            nanos *= 10;
        }
        return nanos;
    }

    /** Since 1970, in the Gregorian calendar. */
    private static long days(int year, int month, int day) {
        long before = year - 1L;
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return before * 365
                + before / 4
                - before / 100
                + before / 400
                + DAYS_BEFORE_MONTH[month - 1]
                + (leap && month > 2 ? 1 : 0)
                + day
                - 1
                - DAYS_UNTIL_1970;
    }
}
