package io.weir.service.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sizes such as {@code 16 MB} (powers of 1024) and times such as {@code 2 hours}; empty where it cannot. */
public final class Units {
    private static final Pattern AMOUNT = Pattern.compile("\\s*(\\d{1,15})\\s*([a-zA-Z]*)\\s*");

    private Units() {}

    public static OptionalLong bytes(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return OptionalLong.empty();
        }
        long unit = switch (amount.group(2).toUpperCase(Locale.ROOT)) {
            case "", "B" -> 1L;
            case "K", "KB", "KIB" -> 1L << 10;
            case "M", "MB", "MIB" -> 1L << 20;
            case "G", "GB", "GIB" -> 1L << 30;
            case "T", "TB", "TIB" -> 1L << 40;
            default -> 0L;
        };
        long number = Long.parseLong(amount.group(1));
        return unit == 0 || number > Long.MAX_VALUE / unit ? OptionalLong.empty() : OptionalLong.of(number * unit);
    }

    public static Optional<Duration> duration(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(amount.group(1));
        if (number > 1_000_000_000_000L) {
            return Optional.empty();
        }
        return switch (amount.group(2).toLowerCase(Locale.ROOT)) {
            case "ms", "millisecond", "milliseconds" -> Optional.of(Duration.ofMillis(number));
            case "s", "second", "seconds" -> Optional.of(Duration.ofSeconds(number));
            case "m", "min", "minute", "minutes" -> Optional.of(Duration.ofMinutes(number));
            case "h", "hour", "hours" -> Optional.of(Duration.ofHours(number));
            case "d", "day", "days" -> Optional.of(Duration.ofDays(number));
            default -> Optional.empty();
        };
    }
}
