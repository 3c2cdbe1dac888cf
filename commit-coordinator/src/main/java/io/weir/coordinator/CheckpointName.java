package io.weir.coordinator;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a checkpoint lies. The name says all that is needed to choose one, so that no other is read.
 *
 * @param version of the state it holds
 * @param microseconds of that version's commit since 1970, rounded up: it was not committed later
 */
record CheckpointName(long version, long microseconds) implements Comparable<CheckpointName> {
    static final String FOLDER = "_weir/checkpoint/";
    private static final Pattern KEY = Pattern.compile(Pattern.quote(FOLDER) + "(\\d{20})-(\\d{1,19})\\.ckpt");

    static CheckpointName of(CatalogState state) {
        Instant at = state.committedAt();
        long floor = ChronoUnit.MICROS.between(Instant.EPOCH, at);
        boolean whole = Instant.EPOCH.plus(floor, ChronoUnit.MICROS).equals(at);
        return new CheckpointName(state.version().number(), whole ? floor : floor + 1);
    }

    /** Empty where the key is not that of a checkpoint. */
    static Optional<CheckpointName> parse(String key) {
        Matcher matcher = KEY.matcher(key);
        return matcher.matches()
                ? Optional.of(new CheckpointName(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    String key() {
        return String.format(Locale.ROOT, "%s%020d-%d.ckpt", FOLDER, version, microseconds);
    }

    Instant committedBy() {
        return Instant.EPOCH.plus(microseconds, ChronoUnit.MICROS);
    }

    @Override
    public int compareTo(CheckpointName other) {
        return Long.compare(version, other.version);
    }

    @Override
    public String toString() {
        return key();
    }
}
