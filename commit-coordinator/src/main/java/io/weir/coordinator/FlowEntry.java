package io.weir.coordinator;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What makes a table a materialized view: what it computes, what it follows, and how far it has come.
 *
 * @param definition the statement that makes it again
 * @param query the canonical SELECT, as it is run
 * @param sources what it reads, by the name its query uses
 * @param frontier for each source's table id, the snapshot up to which the view is exact; absent: the empty table
 * @param kind, refresh, reason as in {@code weir.flows}
 * @param options the WITH options of the definition
 * @param version the lake version up to which it is exact, where it is not current
 * @param error why it was set aside, if it was
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FlowEntry(
        String definition,
        String query,
        Map<String, String> sources,
        Map<String, Long> frontier,
        String kind,
        String refresh,
        Optional<String> reason,
        Map<String, String> options,
        List<Expectation> expectations,
        Status status,
        long version,
        Optional<String> error,
        LastMove lastMove) {

    public enum Status {
        CURRENT,
        FILLING,
        BEHIND,
        SUSPENDED
    }

    /** Durations in milliseconds. */
    public record LastMove(long durationMillis, long rowsIn, long rowsOut) {
        public static final LastMove NONE = new LastMove(0, 0, 0);
    }

    public FlowEntry {
        sources = Map.copyOf(sources);
        frontier = Map.copyOf(frontier);
        options = Map.copyOf(options);
        expectations = List.copyOf(expectations);
    }

    public boolean reads(String tableId) {
        return sources.containsValue(tableId);
    }

    FlowEntry with(Status newStatus, long exactAt, Optional<String> newError) {
        return new FlowEntry(
                definition,
                query,
                sources,
                frontier,
                kind,
                refresh,
                reason,
                options,
                expectations,
                newStatus,
                exactAt,
                newError,
                lastMove);
    }

    FlowEntry moved(Map<String, Long> newFrontier, Map<String, Long> broken, long exactAt, LastMove newLastMove) {
        return new FlowEntry(
                definition,
                query,
                sources,
                newFrontier,
                kind,
                refresh,
                reason,
                options,
                expectations.stream()
                        .map(expectation -> expectation.plus(broken.getOrDefault(expectation.name(), 0L)))
                        .toList(),
                Status.CURRENT,
                exactAt,
                Optional.empty(),
                newLastMove);
    }
}
