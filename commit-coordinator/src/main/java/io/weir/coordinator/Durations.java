package io.weir.coordinator;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them in properties: {@code 2 hours}, {@code 10 s}, {@code 1 day}. */
final class Durations {
    private static final Pattern TEXT = Pattern.compile("\\s*(\\d+)\\s*([A-Za-z]+)\\s*");

    private Durations() {}

    static Duration parse(String setting, String text, Duration whenAbsent) {
        if (text == null) {
            return whenAbsent;
        }
        Matcher parts = TEXT.matcher(text);
        if (parts.matches()) {
            long count = Long.parseLong(parts.group(1));
            switch (parts.group(2).toLowerCase(Locale.ROOT)) {
                case "ms", "millisecond", "milliseconds" -> {
                    return Duration.ofMillis(count);
                }
                case "s", "second", "seconds" -> {
                    return Duration.ofSeconds(count);
                }
                case "m", "min", "minute", "minutes" -> {
                    return Duration.ofMinutes(count);
                }
                case "h", "hour", "hours" -> {
                    return Duration.ofHours(count);
                }
                case "d", "day", "days" -> {
                    return Duration.ofDays(count);
                }
                default -> {}
            }
        }
        throw Refusals.rejected(
                ErrorCode.INVALID,
                setting + " = '" + text + "' is not a duration",
                "write a whole number and a unit, such as '2 hours' or '30 days'");
    }
}
