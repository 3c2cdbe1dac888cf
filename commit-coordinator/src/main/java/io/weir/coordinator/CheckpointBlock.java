package io.weir.coordinator;

import com.fasterxml.jackson.databind.ObjectReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A part of a checkpoint: lines of a word and JSON, gzipped together. A table's lineage is the line behind the table's
 * and is kept as it stands until somebody asks for it ({@link Lineage}).
 */
final class CheckpointBlock {
    private static final int RAW_BYTES = 1 << 20;
    private static final String NAMESPACE = "namespace";
    private static final String TABLE = "table";
    private static final String DROPPED = "dropped";
    private static final String LINEAGE = "lineage";
    private static final String VIEW = "view";
    private static final String COMMIT = "commit";
    private static final String ANSWER = "answer";
    private static final String LEADER = "leader";
    private static final Map<String, ObjectReader> READERS = Map.of(
            NAMESPACE, reader(CheckpointLine.OfNamespace.class),
            TABLE, reader(CheckpointLine.Table.class),
            DROPPED, reader(CheckpointLine.Dropped.class),
            VIEW, reader(LogicalView.class),
            COMMIT, reader(CommitRecord.class),
            ANSWER, reader(AnsweredRequests.Answered.class),
            LEADER, reader(Leadership.class));

    /** A block as it lies in the checkpoint. */
    static final class Packed {
        private final byte[] gzipped;
        private final int rawBytes;

        private Packed(byte[] gzipped, int rawBytes) {
            this.gzipped = gzipped;
            this.rawBytes = rawBytes;
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
    private final ByteArrayOutputStream raw = new ByteArrayOutputStream(RAW_BYTES + (RAW_BYTES >> 3));

    private CheckpointBlock() {}

    private static ObjectReader reader(Class<?> type) {
        return EntryCodec.mapper().readerFor(type);
    }

    /** All that the state holds and can not be told from the rest of it. */
    static List<Packed> pack(CatalogState state) {
        CheckpointBlock blocks = new CheckpointBlock();
        state.namespaces()
                .forEach((namespace, properties) ->
                        blocks.line(NAMESPACE, new CheckpointLine.OfNamespace(namespace, properties)));
        for (TableEntry table : state.tablesById().values()) {
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
        blocks.flush();
        return blocks.packed;
    }

    private void lines(String word, Object table, Lineage lineage) {
        append(word, json(table));
        append(LINEAGE, lineage.encoded());
        flushWhenFull();
    }

    private void line(String word, Object value) {
        append(word, json(value));
        flushWhenFull();
    }

    private static byte[] json(Object value) {
        try {
            return EntryCodec.mapper().writeValueAsBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException("can not encode " + value, e);
        }
    }

    private void append(String word, byte[] json) {
        raw.writeBytes(word.getBytes(StandardCharsets.UTF_8));
        raw.write(' ');
        raw.writeBytes(json);
        raw.write('\n');
    }

    private void flushWhenFull() {
        if (raw.size() >= RAW_BYTES) {
            flush();
        }
    }

    private void flush() {
        if (raw.size() == 0) {
            return;
        }
        ByteArrayOutputStream gzipped = new ByteArrayOutputStream();
        try (FastGzip gzip = new FastGzip(gzipped)) {
            raw.writeTo(gzip);
        } catch (IOException e) {
            throw new UncheckedIOException("can not compress in memory", e);
        }
        packed.add(new Packed(gzipped.toByteArray(), raw.size()));
        raw.reset();
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(ByteArrayOutputStream to) throws IOException {
            super(to, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** @throws IllegalStateException where the block is not one that {@link #pack} makes */
    static List<CheckpointLine> unpack(byte[] bytes, int start, int length, int rawBytes) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes, start, length), 1 << 16)) {
            return lines(gzip.readNBytes(rawBytes));
        } catch (IOException e) {
            throw new IllegalStateException("a block of a checkpoint is not readable: " + e.getMessage(), e);
        }
    }

    private static List<CheckpointLine> lines(byte[] raw) throws IOException {
        List<CheckpointLine> lines = new ArrayList<>();
        Object beforeLineage = null;
        int start = 0;
        while (start < raw.length) {
            int space = indexOf(raw, start, ' ');
            int end = indexOf(raw, space, '\n');
            String word = new String(raw, start, space - start, StandardCharsets.UTF_8);
            if (word.equals(LINEAGE)) {
                Lineage lineage = Lineage.encoded(Arrays.copyOfRange(raw, space + 1, end));
                lines.add(
                        switch (beforeLineage) {
                            case CheckpointLine.Table table -> new CheckpointLine.OfTable(table, lineage);
                            case CheckpointLine.Dropped dropped -> new CheckpointLine.OfDropped(dropped, lineage);
                            case null, default -> throw new IOException("a lineage that is no table's");
                        });
            } else if (READERS.containsKey(word)) {
                Object value = READERS.get(word).readValue(raw, space + 1, end - space - 1);
                switch (value) {
                    case CheckpointLine.Table _, CheckpointLine.Dropped _ -> beforeLineage = value;
                    case CheckpointLine.OfNamespace namespace -> lines.add(namespace);
                    case LogicalView view -> lines.add(new CheckpointLine.OfView(view));
                    case CommitRecord commit -> lines.add(new CheckpointLine.OfCommit(commit));
                    case AnsweredRequests.Answered answered -> lines.add(new CheckpointLine.OfAnswer(answered));
                    case Leadership leader -> lines.add(new CheckpointLine.OfLeader(leader));
                    default -> throw new IOException("a line of " + value.getClass());
                }
            } else {
                throw new IOException("a line begins with \"" + word + "\", which is not known");
            }
            start = end + 1;
        }
        return lines;
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
