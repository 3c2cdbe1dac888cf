package io.weir.incremental.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads Thrift's compact protocol, as much of it as Parquet footers use. Running past the end throws
 * {@link java.nio.BufferUnderflowException}.
 */
final class CompactReader {
    private static final int MAX_DEPTH = 32;

    private final ByteBuffer bytes;
    private int depth;

    CompactReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Takes a struct's fields one by one; it must consume or {@link #skip} each. */
    interface Fields {
        void field(int id, int type);
    }

    void struct(Fields fields) {
        if (++depth > MAX_DEPTH) {
            throw new IllegalStateException("nested too deep");
        }
        int id = 0;
        while (true) {
            int header = bytes.get() & 0xff;
            if (header == 0) {
                depth--;
                return;
            }
            int delta = header >> 4;
            id = delta == 0 ? (int) zigzag() : id + delta;
            fields.field(id, header & 0xf);
        }
    }

    /** The size of a list whose elements follow. */
    int list() {
        int header = bytes.get() & 0xff;
        int size = header >> 4;
        return size == 15 ? size() : size;
    }

    int number() {
        return (int) zigzag();
    }

    String text() {
        byte[] text = new byte[size()];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    void skip(int type) {
        switch (type) {
            case 1, 2 -> {}
            case 3 -> bytes.get();
            case 4, 5, 6 -> varint();
            case 7 -> bytes.getDouble();
            case 8 -> {
                int size = size();
                bytes.position(bytes.position() + size);
            }
            case 9, 10 -> {
                int header = bytes.get(bytes.position()) & 0xff;
                int size = list();
                for (int i = 0; i < size; i++) {
                    skipElement(header & 0xf);
                }
            }
            case 12 -> struct((id, inner) -> skip(inner));
            default -> throw new IllegalStateException("unknown type " + type);
        }
    }

    private void skipElement(int type) {
        if (type <= 2) {
            bytes.get();
        } else {
            skip(type);
        }
    }

    private int size() {
        long size = varint();
        if (size < 0 || size > bytes.remaining()) {
            throw new IllegalStateException("a size of " + size + " where " + bytes.remaining() + " bytes are left");
        }
        return (int) size;
    }

    private long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("a number without an end");
    }
}
