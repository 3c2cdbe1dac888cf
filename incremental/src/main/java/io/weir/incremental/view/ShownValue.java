package io.weir.incremental.view;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a column of a grouped view shows, where it is no more than what is kept of the group. */
sealed interface ShownValue {
    record Key(int key) implements ShownValue {}

    /** How many rows the group has. */
    record Rows() implements ShownValue {}

    record Kept(int measure) implements ShownValue {}

    /** A sum, NULL where nothing was added. {@code count} is a measure, or −1: the group's rows. */
    record SumOfAny(int count, int sum) implements ShownValue {}

    Pattern MEASURE = Pattern.compile("m(\\d+)");
    Pattern SUM = Pattern.compile("CASE WHEN (n|m(\\d+)) > 0 THEN m(\\d+) END");

    /** Empty where the column is computed. */
    static Optional<ShownValue> of(String output, GroupStage stage) {
        for (int i = 0; i < stage.keys().size(); i++) {
            if (output.equals("k" + i)) {
                return Optional.of(new Key(i));
            }
        }
        List<String> aggregates = stage.aggregates();
        for (int i = 0; i < aggregates.size(); i++) {
            if (output.equals("a" + i)) {
                return aggregate(aggregates.get(i));
            }
        }
        return Optional.empty();
    }

    private static Optional<ShownValue> aggregate(String aggregate) {
        if (aggregate.equals("n")) {
            return Optional.of(new Rows());
        }
        Matcher measure = MEASURE.matcher(aggregate);
        if (measure.matches()) {
            return Optional.of(new Kept(Integer.parseInt(measure.group(1))));
        }
        Matcher sum = SUM.matcher(aggregate);
        return sum.matches()
                ? Optional.of(new SumOfAny(
                        sum.group(2) == null ? -1 : Integer.parseInt(sum.group(2)), Integer.parseInt(sum.group(3))))
                : Optional.empty();
    }
}
