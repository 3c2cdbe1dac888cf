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
 * Which commit brought a table's rows. A row's creation is looked up by its row id in {@link #ranges}, its last change by
 * its sequence number in {@link #sequences}. Immutable and safe to share; a change makes a new value that shares what
 * stayed.
 *
 * <p>Facts that come from a checkpoint stay the bytes they are until somebody asks for them: most tables of a large lake
 * are not asked for, and a hundred thousand of them must not hold up a start.
 */
public final class Lineage {
    public static final Lineage EMPTY =
            new Lineage(new Parts(0, TreePMap.empty(), TreePMap.empty(), HashTreePMap.empty()));

    /**
     * {@link Parts}, or the bytes {@link LineageCodec} made of them, or where those lie in a checkpoint, or one of these
     * two with what was {@link Added} since. Parts follow any of them, never the other way round.
     */
    private volatile Object held;

    private Lineage(Object held) {
        this.held = held;
    }

    /** The facts themselves. */
    record Parts(
            long nextRowId,
            TreePMap<Long, Range> ranges,
            TreePMap<Long, Stamp> sequences,
            PMap<String, Long> firstRowIds) {

        private Parts plus(Facts added) {
            TreePMap<Long, Range> newRanges = ranges;
            for (Range range : added.ranges()) {
                newRanges = newRanges.plus(range.firstRowId(), range);
            }
            TreePMap<Long, Stamp> newSequences = sequences;
            for (Map.Entry<Long, Stamp> sequence : added.sequences().entrySet()) {
                newSequences = newSequences.plus(sequence.getKey(), sequence.getValue());
            }
            return new Parts(
                    Math.max(nextRowId, added.nextRowId()),
                    newRanges,
                    newSequences,
                    firstRowIds.plusAll(added.firstRowIds()));
        }
    }

    static Lineage of(Parts parts) {
        return new Lineage(parts);
    }

    /** @param bytes of {@link LineageCodec}; not copied */
    static Lineage encoded(byte[] bytes) {
        return new Lineage(bytes);
    }

    static Lineage in(LineageBlock.Slice slice) {
        return new Lineage(slice);
    }

    /** Facts behind a lineage nobody has asked for: the log is replayed without asking. */
    private record Added(Object to, List<Facts> facts) {
        private static final int AT_MOST = 32;
    }

    private Parts parts() {
        if (held instanceof Parts parts) {
            return parts;
        }
        Parts parts = parts(held);
        held = parts;
        return parts;
    }

    private static Parts parts(Object held) {
        return switch (held) {
            case Parts parts -> parts;
            case byte[] bytes -> LineageCodec.decode(bytes);
            case LineageBlock.Slice slice -> LineageCodec.decode(slice.bytes());
            case Added added -> {
                Parts parts = parts(added.to());
                for (Facts facts : added.facts()) {
                    parts = parts.plus(facts);
                }
                yield parts;
            }
            default -> throw new IllegalStateException("a lineage is not a " + held.getClass());
        };
    }

    /** As {@link LineageCodec} writes it: for facts nobody asked for, the very bytes they came as. */
    byte[] encoded() {
        return switch (held) {
            case byte[] bytes -> bytes;
            case LineageBlock.Slice slice -> slice.bytes();
            default -> LineageCodec.encode(parts());
        };
    }

    /** Where facts nobody asked for lie in their checkpoint: {@link #encoded} is fastest in this order. */
    long place() {
        return held instanceof LineageBlock.Slice slice ? slice.place() : -1;
    }

    /** The first row id not yet given (format v2; v3 tables keep theirs in Iceberg's metadata). */
    public long nextRowId() {
        return parts().nextRowId();
    }

    /** By first row id; ranges may overlap only where a view adopted its source's, which are then equal. */
    public TreePMap<Long, Range> ranges() {
        return parts().ranges();
    }

    /** By data sequence number. */
    public TreePMap<Long, Stamp> sequences() {
        return parts().sequences();
    }

    /** By data file location, for files whose row ids Iceberg does not record (format v1 and v2). */
    public PMap<String, Long> firstRowIds() {
        return parts().firstRowIds();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Lineage lineage && parts().equals(lineage.parts()));
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return parts().toString();
    }

    /** When something was committed. */
    public record Stamp(long version, Instant at) {}

    /** Row ids {@code firstRowId} until {@code firstRowId + rows}, first committed at {@code stamp}. */
    public record Range(long firstRowId, long rows, Stamp stamp) {}

    public Optional<Stamp> created(long rowId) {
        Map.Entry<Long, Range> floor = ranges().floorEntry(rowId);
        return floor == null || rowId >= floor.getKey() + floor.getValue().rows()
                ? Optional.empty()
                : Optional.of(floor.getValue().stamp());
    }

    /** The commit of a sequence number; of those a registered table brought along, its registration. */
    public Optional<Stamp> updated(long sequenceNumber) {
        return Optional.ofNullable(sequences().ceilingEntry(sequenceNumber)).map(Map.Entry::getValue);
    }

    /** The lineage after a commit whose facts are {@code added}. */
    Lineage plus(Facts added) {
        return switch (held) {
            case Added before
            when before.facts().size() < Added.AT_MOST -> {
                List<Facts> facts = new ArrayList<>(before.facts());
                facts.add(added);
                yield new Lineage(new Added(before.to(), facts));
            }
            case byte[] bytes -> new Lineage(new Added(bytes, List.of(added)));
            case LineageBlock.Slice slice -> new Lineage(new Added(slice, List.of(added)));
            default -> of(parts().plus(added));
        };
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
