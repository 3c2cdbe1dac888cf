package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a commit does to the rows of a {@link From}, as pieces to put after FROM: {@code leaving} and {@code arriving} hold
 * all the rows that are not on both sides of the commit, and perhaps some that are, the same in both. What is neither is
 * {@code kept}. So the rows before are those kept and those leaving, and the rows {@code now} those kept and those arriving.
 *
 * @param kept made when it is asked for: it may mean reading all that a source has
 * @param isWhole there was nothing before: all there is arrives
 * @param rows about how many rows leave or arrive
 */
record FromChange(
        Supplier<String> kept,
        Supplier<String> now,
        Optional<String> leaving,
        Optional<String> arriving,
        boolean isWhole,
        long rows) {
    static FromChange unchanged(Supplier<String> now) {
        return new FromChange(now, now, Optional.empty(), Optional.empty(), false, 0);
    }

    static FromChange whole(String now, long rows) {
        return new FromChange(
                () -> "(SELECT * FROM " + now + " WHERE false)",
                () -> now,
                Optional.empty(),
                Optional.of(now),
                true,
                rows);
    }

    boolean isNothing() {
        return leaving.isEmpty() && arriving.isEmpty();
    }

    /** The rows before the commit. */
    String before() {
        return leaving.map(left -> union(Stream.of(kept.get(), left))).orElseGet(kept);
    }

    /** The rows that came or went. */
    String changed() {
        return union(Stream.concat(leaving.stream(), arriving.stream()));
    }

    /** As the stages take it; empty where nothing changed. */
    Optional<Delta> delta() {
        if (isNothing()) {
            return Optional.empty();
        }
        String arrived = arriving.map(come -> "SELECT * FROM " + come)
                .orElseGet(() -> "SELECT * FROM " + leaving.orElseThrow() + " WHERE false");
        return Optional.of(new EngineDelta(
                new Relation(arrived), leaving.map(left -> new Relation("SELECT * FROM " + left)), rows));
    }

    static String union(Stream<String> relations) {
        return relations
                .map(relation -> "SELECT * FROM " + relation)
                .collect(Collectors.joining(" UNION ALL ", "(", ")"));
    }
}
