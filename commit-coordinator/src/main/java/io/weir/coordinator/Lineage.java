package io.weir.coordinator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Which commit brought a table's rows. A row's creation is looked up by its row id in {@code ranges}, its last change by
 * its sequence number in {@code sequences}. Immutable; a change makes a new value that shares what stayed.
 *
 * @param nextRowId the first row id not yet given (format v2; v3 tables keep theirs in Iceberg's metadata)
 * @param ranges by first row id; ranges may overlap only where a view adopted its source's, which are then equal
 * @param sequences by data sequence number
 * @param firstRowIds by data file location, for files whose row ids Iceberg does not record (format v1 and v2)
 */
public record Lineage(
        long nextRowId, TreePMap<Long, Range> ranges, TreePMap<Long, Stamp> sequences, PMap<String, Long> firstRowIds) {

    public static final Lineage EMPTY = new Lineage(0, TreePMap.empty(), TreePMap.empty(), HashTreePMap.empty());

    /** When something was committed. */
    public record Stamp(long version, Instant at) {}

    /** Row ids {@code firstRowId} until {@code firstRowId + rows}, first committed at {@code stamp}. */
    public record Range(long firstRowId, long rows, Stamp stamp) {}

    public Optional<Stamp> created(long rowId) {
        Map.Entry<Long, Range> floor = ranges.floorEntry(rowId);
        return floor == null || rowId >= floor.getKey() + floor.getValue().rows()
                ? Optional.empty()
                : Optional.of(floor.getValue().stamp());
    }

    /** The commit of a sequence number; of those a registered table brought along, its registration. */
    public Optional<Stamp> updated(long sequenceNumber) {
        return Optional.ofNullable(sequences.ceilingEntry(sequenceNumber)).map(Map.Entry::getValue);
    }

    /** The lineage after a commit whose facts are {@code added}. */
    Lineage plus(Facts added) {
        TreePMap<Long, Range> newRanges = ranges;
        for (Range range : added.ranges()) {
            newRanges = newRanges.plus(range.firstRowId(), range);
        }
        TreePMap<Long, Stamp> newSequences = sequences;
        for (Map.Entry<Long, Stamp> sequence : added.sequences().entrySet()) {
            newSequences = newSequences.plus(sequence.getKey(), sequence.getValue());
        }
        return new Lineage(
                Math.max(nextRowId, added.nextRowId()),
                newRanges,
                newSequences,
                firstRowIds.plusAll(added.firstRowIds()));
    }

    /** What one commit adds to a table's lineage. */
    public record Facts(long nextRowId, List<Range> ranges, Map<Long, Stamp> sequences, Map<String, Long> firstRowIds) {
        public static final Facts NONE = new Facts(0, List.of(), Map.of(), Map.of());

        public Facts {
            ranges = List.copyOf(ranges);
            sequences = Map.copyOf(sequences);
            firstRowIds = Map.copyOf(firstRowIds);
        }

        Facts plus(Facts later) {
            List<Range> allRanges = new ArrayList<>(ranges);
            allRanges.addAll(later.ranges);
            Map<Long, Stamp> allSequences = new HashMap<>(sequences);
            allSequences.putAll(later.sequences);
            Map<String, Long> allFirstRowIds = new HashMap<>(firstRowIds);
            allFirstRowIds.putAll(later.firstRowIds);
            return new Facts(Math.max(nextRowId, later.nextRowId), allRanges, allSequences, allFirstRowIds);
        }
    }
}
