package io.weir.coordinator;

import com.fasterxml.jackson.databind.ObjectReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * A part of a checkpoint, gzipped. One of facts is lines of a word and JSON. Where a table's lineage is, the line behind the
 * table's says: it lies in one of the blocks of lineages, which a start does not even unzip ({@link LineageBlock}).
 */
final class CheckpointBlock {
    private static final int FACTS_RAW_BYTES = 1 << 20;

    /** Little, since who asks for one lineage waits for the block. */
    private static final int LINEAGES_RAW_BYTES = 1 << 18;

    private static final String NAMESPACE = "namespace";
    private static final String TABLE = "table";
    private static final String DROPPED = "dropped";
    private static final String LINEAGE_AT = "at";

    /** In checkpoints of format 1: the lineage itself. */
    private static final String LINEAGE = "lineage";

    private static final String VIEW = "view";
    private static final String COMMIT = "commit";
    private static final String ANSWER = "answer";
    private static final String LEADER = "leader";
    private static final Map<String, ObjectReader> READERS = Map.of(
            NAMESPACE, reader(CheckpointLine.OfNamespace.class),
            DROPPED, reader(CheckpointLine.Dropped.class),
            VIEW, reader(LogicalView.class),
            COMMIT, reader(CommitRecord.class),
            ANSWER, reader(AnsweredRequests.Answered.class),
            LEADER, reader(Leadership.class));
    private static final ObjectReader AT = reader(int[].class);

    /** What a block holds. */
    enum Kind {
        FACTS,
        LINEAGES
    }

    /** A block as it lies in the checkpoint. */
    static final class Packed {
        private final Kind kind;
        private final byte[] gzipped;
        private final int rawBytes;

        private Packed(Kind kind, byte[] gzipped, int rawBytes) {
            this.kind = kind;
            this.gzipped = gzipped;
            this.rawBytes = rawBytes;
        }

        Kind kind() {
            return kind;
        }

        /** Not copied. */
        byte[] gzipped() {
            return gzipped;
        }

        int rawBytes() {
            return rawBytes;
        }
    }

    private final List<Packed> packed = new ArrayList<>();
    private final ByteArrayOutputStream facts = buffer(FACTS_RAW_BYTES);
    private final ByteArrayOutputStream lineages = buffer(LINEAGES_RAW_BYTES);
    private int lineageBlocks;

    private CheckpointBlock() {}

    private static ByteArrayOutputStream buffer(int rawBytes) {
        return new ByteArrayOutputStream(rawBytes + (rawBytes >> 3));
    }

    private static ObjectReader reader(Class<?> type) {
        return EntryCodec.mapper().readerFor(type);
    }

    /** All that the state holds and can not be told from the rest of it. */
    static List<Packed> pack(CatalogState state) {
        CheckpointBlock blocks = new CheckpointBlock();
        state.namespaces()
                .forEach((namespace, properties) ->
                        blocks.line(NAMESPACE, new CheckpointLine.OfNamespace(namespace, properties)));
        List<TableEntry> tables = new ArrayList<>(state.tablesById().values());
        tables.sort(
                Comparator.<TableEntry>comparingLong(table -> table.lineage().place())
                        .thenComparing(TableEntry::location));
        for (TableEntry table : tables) {
            blocks.lines(TABLE, CheckpointLine.Table.of(table), table.lineage());
        }
        for (DroppedTable dropped : state.dropped()) {
            blocks.lines(
                    DROPPED, CheckpointLine.Dropped.of(dropped), dropped.table().lineage());
        }
        state.logicalViews().values().forEach(view -> blocks.line(VIEW, view));
        state.commits().forEach(commit -> blocks.line(COMMIT, commit));
        for (String key : state.answered().inOrder()) {
            blocks.line(ANSWER, state.answered().byKey().get(key));
        }
        state.leaders().forEach(leader -> blocks.line(LEADER, leader));
        blocks.flush(Kind.FACTS, blocks.facts);
        blocks.flush(Kind.LINEAGES, blocks.lineages);
        return blocks.packed;
    }

    private void lines(String word, Object table, Lineage lineage) {
        byte[] encoded = lineage.encoded();
        append(word, json(table));
        append(LINEAGE_AT, json(new int[] {lineageBlocks, lineages.size(), encoded.length}));
        lineages.writeBytes(encoded);
        if (lineages.size() >= LINEAGES_RAW_BYTES) {
            flush(Kind.LINEAGES, lineages);
            lineageBlocks++;
        }
        flushFullFacts();
    }

    private void line(String word, Object value) {
        append(word, json(value));
        flushFullFacts();
    }

    private static byte[] json(Object value) {
        try {
            return EntryCodec.mapper().writeValueAsBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException("can not encode " + value, e);
        }
    }

    private void append(String word, byte[] json) {
        facts.writeBytes(word.getBytes(StandardCharsets.UTF_8));
        facts.write(' ');
        facts.writeBytes(json);
        facts.write('\n');
    }

    private void flushFullFacts() {
        if (facts.size() >= FACTS_RAW_BYTES) {
            flush(Kind.FACTS, facts);
        }
    }

    private void flush(Kind kind, ByteArrayOutputStream raw) {
        if (raw.size() == 0) {
            return;
        }
        ByteArrayOutputStream gzipped = new ByteArrayOutputStream();
        try (FastGzip gzip = new FastGzip(gzipped)) {
            raw.writeTo(gzip);
        } catch (IOException e) {
            throw new UncheckedIOException("can not compress in memory", e);
        }
        packed.add(new Packed(kind, gzipped.toByteArray(), raw.size()));
        raw.reset();
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(ByteArrayOutputStream to) throws IOException {
            super(to, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /**
     * The facts of a block.
     *
     * @param lineages the checkpoint's, in order
     * @throws IllegalStateException where the block is not one that {@link #pack} makes
     */
    static List<CheckpointLine> unpack(byte[] raw, List<LineageBlock> lineages) {
        try {
            return lines(raw, lineages);
        } catch (IOException e) {
            throw new IllegalStateException("a block of a checkpoint is not readable: " + e.getMessage(), e);
        }
    }

    private static List<CheckpointLine> lines(byte[] raw, List<LineageBlock> lineages) throws IOException {
        List<CheckpointLine> lines = new ArrayList<>();
        Object beforeLineage = null;
        int start = 0;
        while (start < raw.length) {
            int space = indexOf(raw, start, ' ');
            int end = indexOf(raw, space, '\n');
            String word = new String(raw, start, space - start, StandardCharsets.UTF_8);
            switch (word) {
                case LINEAGE ->
                    lines.add(with(Lineage.encoded(Arrays.copyOfRange(raw, space + 1, end)), beforeLineage));
                case LINEAGE_AT -> {
                    int[] at = AT.readValue(raw, space + 1, end - space - 1);
                    lines.add(
                            with(Lineage.in(new LineageBlock.Slice(lineages.get(at[0]), at[1], at[2])), beforeLineage));
                }
                case TABLE -> beforeLineage = TableLine.read(raw, space + 1, end - space - 1);
                default -> {
                    ObjectReader reader = READERS.get(word);
                    if (reader == null) {
                        throw new IOException("a line begins with \"" + word + "\", which is not known");
                    }
                    Object value = reader.readValue(raw, space + 1, end - space - 1);
                    switch (value) {
                        case CheckpointLine.Dropped _ -> beforeLineage = value;
                        case CheckpointLine.OfNamespace namespace -> lines.add(namespace);
                        case LogicalView view -> lines.add(new CheckpointLine.OfView(view));
                        case CommitRecord commit -> lines.add(new CheckpointLine.OfCommit(commit));
                        case AnsweredRequests.Answered answered -> lines.add(new CheckpointLine.OfAnswer(answered));
                        case Leadership leader -> lines.add(new CheckpointLine.OfLeader(leader));
                        default -> throw new IOException("a line of " + value.getClass());
                    }
                }
            }
            start = end + 1;
        }
        return lines;
    }

    private static CheckpointLine with(Lineage lineage, Object before) throws IOException {
        return switch (before) {
            case CheckpointLine.Table table -> new CheckpointLine.OfTable(table, lineage);
            case CheckpointLine.Dropped dropped -> new CheckpointLine.OfDropped(dropped, lineage);
            case null, default -> throw new IOException("a lineage that is no table's");
        };
    }

    private static int indexOf(byte[] raw, int from, char wanted) throws IOException {
        for (int i = from; i < raw.length; i++) {
            if (raw[i] == wanted) {
                return i;
            }
        }
        throw new IOException("the last line is cut off");
    }
}
