package io.weir.coordinator;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The lineages of some tables as they lie gzipped in a checkpoint, which is held as long as any of them is wanted. They are
 * unzipped together when one is asked for, and not kept: most are asked for once, and then by themselves.
 */
final class LineageBlock {
    private final byte[] checkpoint;
    private final int start;
    private final int length;
    private final int rawBytes;
    private final int ordinal;
    private volatile WeakReference<byte[]> unzipped = new WeakReference<>(null);

    /**
     * Refers to a part of a checkpoint without reading it.
     *
     * @param checkpoint not copied
     * @param ordinal among those of the checkpoint
     */
    LineageBlock(byte[] checkpoint, int start, int length, int rawBytes, int ordinal) {
        this.checkpoint = checkpoint;
        this.start = start;
        this.length = length;
        this.rawBytes = rawBytes;
        this.ordinal = ordinal;
    }

    /** One table's lineage in the block. */
    record Slice(LineageBlock block, int offset, int length) {
        /** As {@link LineageCodec} wrote it. */
        byte[] bytes() {
            return Arrays.copyOfRange(block.raw(), offset, offset + length);
        }

        /** Grows along the checkpoint: who reads many reads fastest in this order. */
        long place() {
            return ((long) block.ordinal << Integer.SIZE) + offset;
        }
    }

    private byte[] raw() {
        byte[] known = unzipped.get();
        if (known != null) {
            return known;
        }
        byte[] raw = unzip(checkpoint, start, length, rawBytes);
        unzipped = new WeakReference<>(raw);
        return raw;
    }

    /** @throws IllegalStateException where the bytes are not so many, gzipped */
    static byte[] unzip(byte[] bytes, int start, int length, int rawBytes) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes, start, length), 1 << 16)) {
            byte[] raw = gzip.readNBytes(rawBytes);
            if (raw.length != rawBytes) {
                throw new IllegalStateException(
                        "a block of a checkpoint holds " + raw.length + " bytes, its header says " + rawBytes);
            }
            return raw;
        } catch (IOException e) {
            throw new IllegalStateException("a block of a checkpoint is not readable: " + e.getMessage(), e);
        }
    }
}
