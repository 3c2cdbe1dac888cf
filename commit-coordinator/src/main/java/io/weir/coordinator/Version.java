package io.weir.coordinator;

/**
 * The number of an entry in a lake's log: 0 is the empty lake, each entry adds one.
 */
public record Version(long number) implements Comparable<Version> {
    public static final Version EMPTY = new Version(0);

    public Version {
        if (number < 0) {
            throw new IllegalArgumentException("a version is not negative: " + number);
        }
    }

    public Version next() {
        return new Version(number + 1);
    }

    @Override
    public int compareTo(Version other) {
        return Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return Long.toString(number);
    }
}
