package io.weir.coordinator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A checkpoint as one object: a line of format, SHA-256 and length of all that follows, a line of JSON that says which
 * state it is and how long each block is, then the blocks ({@link CheckpointBlock}), which are read side by side.
 *
 * <pre>
 * weir-checkpoint 2 9f86d0818… 45120334
 * {"version":1000000,"epoch":12,"committedAt":"…","blocks":[{"bytes":81234,"rawBytes":1048611,"kind":"FACTS"},…]}
 * </pre>
 *
 * <p>Format 1 has the lineages among the facts; it is still read.
 *
 * <p>Whatever is not whole is recognized before anything of it is used. A format this code does not know is not damage: it
 * means that a newer Weir has been at work, and is an {@link IllegalStateException}.
 */
final class CheckpointCodec {
    static final int FORMAT = 2;
    private static final Set<String> READ = Set.of("1", "2");
    private static final String MAGIC = "weir-checkpoint";
    private static final int FIRST_LINE_AT_MOST = 200;

    private CheckpointCodec() {}

    /** What a checkpoint's bytes turned out to be. */
    sealed interface Decoded {
        record Whole(CatalogState state) implements Decoded {}

        record Damaged(String why) implements Decoded {}
    }

    /** @param kind absent in format 1 */
    record Block(int bytes, int rawBytes, Optional<CheckpointBlock.Kind> kind) {
        boolean hasFacts() {
            return kind.filter(CheckpointBlock.Kind.LINEAGES::equals).isEmpty();
        }
    }

    record Header(long version, long epoch, Instant committedAt, List<Block> blocks) {}

    static byte[] encode(CatalogState state) {
        List<CheckpointBlock.Packed> packed = CheckpointBlock.pack(state);
        Header header = new Header(
                state.version().number(),
                state.epoch(),
                state.committedAt(),
                packed.stream()
                        .map(block -> new Block(block.gzipped().length, block.rawBytes(), Optional.of(block.kind())))
                        .toList());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            body.write(EntryCodec.mapper().writeValueAsBytes(header));
            body.write('\n');
            for (CheckpointBlock.Packed block : packed) {
                body.write(block.gzipped());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can not encode the checkpoint of version " + state.version(), e);
        }
        byte[] rest = body.toByteArray();
        byte[] first = String.format(
                        Locale.ROOT, "%s %d %s %d%n", MAGIC, FORMAT, sha256(rest, 0, rest.length), rest.length)
                .replace(System.lineSeparator(), "\n")
                .getBytes(StandardCharsets.UTF_8);
        byte[] whole = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, whole, first.length, rest.length);
        return whole;
    }

    /** @throws IllegalStateException when the format is one this code does not read */
    static Decoded decode(String key, byte[] bytes) {
        int end = lineEnd(bytes, 0, FIRST_LINE_AT_MOST);
        String[] first = new String(bytes, 0, Math.max(end, 0), StandardCharsets.UTF_8).split(" ");
        if (first.length < 2 || !first[0].equals(MAGIC)) {
            return new Decoded.Damaged("it does not begin as a checkpoint does");
        }
        if (!READ.contains(first[1])) {
            throw new IllegalStateException(
                    "checkpoint " + key + " has format " + first[1] + ", this Weir reads formats 1 to " + FORMAT
                            + ": it was written by another version; run that version or a newer one");
        }
        int start = end + 1;
        int length = bytes.length - start;
        if (first.length != 4 || !first[3].equals(Integer.toString(length))) {
            return new Decoded.Damaged(
                    "it has " + length + " bytes where its first line says otherwise: " + String.join(" ", first));
        }
        if (!first[2].equals(sha256(bytes, start, length))) {
            return new Decoded.Damaged("its checksum is not that of its contents");
        }
        return new Decoded.Whole(state(key, bytes, start));
    }

    private static CatalogState state(String key, byte[] bytes, int start) {
        int end = lineEnd(bytes, start, bytes.length - start);
        Header header;
        try {
            header = EntryCodec.mapper().readValue(bytes, start, end - start, Header.class);
        } catch (IOException e) {
            throw new IllegalStateException("checkpoint " + key + " has a header that is not readable: " + e, e);
        }
        List<Supplier<List<CheckpointLine>>> facts = new ArrayList<>();
        List<LineageBlock> lineages = new ArrayList<>();
        int offset = end + 1;
        for (Block block : header.blocks()) {
            int from = offset;
            if (block.hasFacts()) {
                facts.add(() -> CheckpointBlock.unpack(
                        LineageBlock.unzip(bytes, from, block.bytes(), block.rawBytes()), lineages));
            } else {
                lineages.add(new LineageBlock(bytes, from, block.bytes(), block.rawBytes(), lineages.size()));
            }
            offset += block.bytes();
        }
        CheckpointAssembly assembly = new CheckpointAssembly();
        Parallel.all(facts).forEach(block -> block.forEach(assembly::add));
        return assembly.state(header);
    }

    /** Where the line ends that begins at {@code start}; -1 where none of at most so many bytes does. */
    private static int lineEnd(byte[] bytes, int start, int atMost) {
        for (int i = start; i < Math.min(bytes.length, start + atMost); i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static String sha256(byte[] bytes, int start, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, start, length);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
