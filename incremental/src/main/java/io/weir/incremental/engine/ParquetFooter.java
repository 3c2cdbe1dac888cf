package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Reads the schema in a Parquet file's footer: which field ids it has and how its nested fields are called. The engine
 * reads nested fields by name and takes missing ids for missing columns, so both must be known before it reads.
 */
final class ParquetFooter {
    private static final int TAIL = 8;
    private static final int GUESS = 16 * 1024;
    private static final int MAX_DEPTH = 100;

    private final List<Element> elements = new ArrayList<>();
    private int next;
    private int depth;

    private static final class Element {
        private String name = "";
        private int id = ParquetField.NO_ID;
        private int children;
        private boolean repeated;
        private int converted = -1;
        private int logical = -1;

        boolean isList() {
            return !repeated && (converted == 3 || logical == 3);
        }

        /** Old writers mark a map's repeated group too. */
        boolean isMap() {
            return !repeated && (converted == 1 || converted == 2 || logical == 2);
        }
    }

    private ParquetFooter() {}

    /** The file's columns. {@code location} is what the file is called in errors. */
    static List<ParquetField> columns(Path local, String location) {
        try (FileChannel channel = FileChannel.open(local, StandardOpenOption.READ)) {
            return new ParquetFooter().parse(footer(channel, location));
        } catch (java.nio.file.NoSuchFileException e) {
            throw new EngineException(SqlState.IO_ERROR, "the file " + location + " is not there", "", e);
        } catch (IOException e) {
            throw new EngineException(
                    SqlState.IO_ERROR, "the file " + location + " cannot be read: " + e.getMessage(), "", e);
        } catch (BufferUnderflowException
                | IndexOutOfBoundsException
                | NoSuchElementException
                | IllegalStateException
                | IllegalArgumentException e) {
            throw corrupt(location, "its footer makes no sense", e);
        }
    }

    private static ByteBuffer footer(FileChannel channel, String location) throws IOException {
        long size = channel.size();
        if (size < TAIL + 4) {
            throw corrupt(location, "it has only " + size + " bytes", null);
        }
        ByteBuffer end = read(channel, size, (int) Math.min(size, GUESS));
        byte[] magic = new byte[4];
        end.get(end.limit() - 4, magic);
        String mark = new String(magic, StandardCharsets.US_ASCII);
        if (mark.equals("PARE")) {
            throw new EngineException(
                    SqlState.FEATURE_NOT_SUPPORTED, "the file " + location + " is encrypted", "write it unencrypted");
        }
        if (!mark.equals("PAR1")) {
            throw corrupt(location, "it does not end as a Parquet file does", null);
        }
        int length = end.order(ByteOrder.LITTLE_ENDIAN).getInt(end.limit() - TAIL);
        if (length <= 0 || length > size - TAIL) {
            throw corrupt(location, "its footer is said to have " + length + " bytes", null);
        }
        if (length + TAIL > end.limit()) {
            end = read(channel, size, length + TAIL);
        }
        return end.slice(end.limit() - TAIL - length, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer read(FileChannel channel, long size, int last) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(last);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, size - last + buffer.position()) < 0) {
                break;
            }
        }
        return buffer.flip();
    }

    private List<ParquetField> parse(ByteBuffer footer) {
        CompactReader reader = new CompactReader(footer);
        reader.struct((id, type) -> {
            if (id == 2) {
                int size = reader.list();
                for (int i = 0; i < size; i++) {
                    elements.add(element(reader));
                }
            } else {
                reader.skip(type);
            }
        });
        if (elements.isEmpty()) {
            throw new IllegalStateException("no schema");
        }
        return fields(elements.get(next++).children);
    }

    private static Element element(CompactReader reader) {
        Element element = new Element();
        reader.struct((id, type) -> {
            switch (id) {
                case 3 -> element.repeated = reader.number() == 2;
                case 4 -> element.name = reader.text();
                case 5 -> element.children = reader.number();
                case 6 -> element.converted = reader.number();
                case 9 -> element.id = reader.number();
                case 10 ->
                    reader.struct((logical, inner) -> {
                        element.logical = logical;
                        reader.skip(inner);
                    });
                default -> reader.skip(type);
            }
        });
        return element;
    }

    private List<ParquetField> fields(int count) {
        List<ParquetField> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(field());
        }
        return fields;
    }

    private ParquetField field() {
        Element element = elements.get(next++);
        if (element.children == 0) {
            return new ParquetField(element.name, element.id, ParquetField.Kind.LEAF, List.of());
        }
        if (++depth > MAX_DEPTH) {
            throw new IllegalStateException("nested too deep");
        }
        List<ParquetField> children = fields(element.children);
        depth--;
        if (element.isMap()) {
            return new ParquetField(
                    element.name,
                    element.id,
                    ParquetField.Kind.MAP,
                    children.getFirst().children());
        }
        if (element.isList()) {
            return new ParquetField(element.name, element.id, ParquetField.Kind.LIST, listElement(children.getFirst()));
        }
        return new ParquetField(element.name, element.id, ParquetField.Kind.STRUCT, children);
    }

    /** The three-level layout has a group between list and element; the old two-level ones have not. */
    private static List<ParquetField> listElement(ParquetField repeated) {
        boolean between = repeated.kind() == ParquetField.Kind.STRUCT
                && repeated.children().size() == 1
                && repeated.id() == ParquetField.NO_ID;
        return between ? repeated.children() : List.of(repeated);
    }

    private static EngineException corrupt(String location, String why, Throwable cause) {
        return new EngineException(
                SqlState.DATA_CORRUPTED,
                "the file " + location + " is not a whole Parquet file: " + why,
                "restore it, or take it out of the table",
                cause);
    }
}
