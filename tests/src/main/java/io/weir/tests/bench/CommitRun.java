package io.weir.tests.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What came of so many writers that commit for a time.
 *
 * @param acknowledged the files whose commits were acknowledged
 * @param unknown the files whose commits ended in an error that leaves it open whether they were applied
 * @param conflicts refusals that clients saw, retried or not
 * @param failed commits given up after retries; certainly not applied
 * @param millis of each acknowledged commit, retries included
 * @param seconds from the first commit's begin to the last one's end
 */
record CommitRun(
        Set<String> acknowledged,
        Set<String> unknown,
        long conflicts,
        int failed,
        List<Double> millis,
        double seconds) {

    CommitRun {
        acknowledged = Set.copyOf(acknowledged);
        unknown = Set.copyOf(unknown);
        millis = List.copyOf(millis);
    }

    static CommitRun of(List<CommitRun> writers, double seconds) {
        Set<String> acknowledged = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        List<Double> millis = new ArrayList<>();
        long conflicts = 0;
        int failed = 0;
        for (CommitRun writer : writers) {
            acknowledged.addAll(writer.acknowledged);
            unknown.addAll(writer.unknown);
            millis.addAll(writer.millis);
            conflicts += writer.conflicts;
            failed += writer.failed;
        }
        return new CommitRun(acknowledged, unknown, conflicts, failed, millis, seconds);
    }

    double perSecond() {
        return acknowledged.size() / seconds;
    }

    double p50() {
        return millis.isEmpty() ? Double.NaN : Figures.percentile(millis, 0.5);
    }

    double p99() {
        return millis.isEmpty() ? Double.NaN : Figures.percentile(millis, 0.99);
    }

    /** How many of the acknowledged are not there. */
    long lost(Set<String> present) {
        return acknowledged.stream().filter(file -> !present.contains(file)).count();
    }

    /** How many are there that nobody was told of and nobody may think possible. */
    long unexpected(Set<String> present) {
        return present.stream()
                .filter(file -> !acknowledged.contains(file) && !unknown.contains(file))
                .count();
    }
}
