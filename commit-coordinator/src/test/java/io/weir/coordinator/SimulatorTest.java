package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The coordinator, its log, checkpoints and take-over, simulated ({@link Simulation}). {@code ./weir test sim} runs ten
 * thousand seeds, {@code ./weir test sim SEED} the one that is given; a thousand are part of the tests without a name.
 */
class SimulatorTest {
    private static final long SHORT = 1_000;
    private static final long LONG = 10_000;

    static void simulate(long from, long seeds) {
        LongStream.range(from, from + seeds).parallel().forEach(SimulatorTest::simulate);
    }

    private static Simulation.Reached simulate(long seed) {
        try {
            return Simulation.run(seed);
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage() + "; again: ./weir test sim " + seed, e);
        }
    }

    @Test
    void whatIsPromisedHoldsForAThousandSeeds() {
        simulate(0, SHORT);
    }

    @Test
    @Tag("sim")
    void whatIsPromisedHoldsForEverySeedAskedFor() {
        String seed = System.getProperty("sim.seed", "");
        if (seed.isEmpty()) {
            simulate(SHORT, LONG - SHORT);
        } else {
            simulate(Long.parseLong(seed));
        }
    }

    @Test
    void theRunsReachWhatTheyAreFor() {
        var runs = LongStream.range(0, 100).mapToObj(SimulatorTest::simulate).toList();
        assertThat(runs).filteredOn(run -> run.applied() >= 5).hasSizeGreaterThan(60);
        assertThat(runs).filteredOn(run -> run.epoch() >= 3).hasSizeGreaterThan(60);
        assertThat(runs).filteredOn(run -> run.logStart() > 3).hasSizeGreaterThan(40);
    }

    @Test
    void aSeedTellsTheWholeRun() {
        for (long seed = 0; seed < 10; seed++) {
            assertThat(simulate(seed)).as("seed " + seed).isEqualTo(simulate(seed));
        }
    }
}
