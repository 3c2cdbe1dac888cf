package io.weir.store;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/** A local file to read, under the location it was asked for by. */
record LocalInputFile(String location, Path path) implements InputFile {
    @Override
    public long getLength() {
        try {
            return Files.size(path);
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "no such file: %s", location);
        } catch (IOException e) {
            throw new RuntimeIOException(e, "cannot read the size of %s", location);
        }
    }

    @Override
    public SeekableInputStream newStream() {
        try {
            return new Stream(new RandomAccessFile(path.toFile(), "r"));
        } catch (FileNotFoundException e) {
            throw new NotFoundException(e, "cannot open %s", location);
        }
    }

    @Override
    public boolean exists() {
        return Files.isRegularFile(path);
    }

    /** Buffered by hand: readers ask for single bytes, and seek. */
    private static final class Stream extends SeekableInputStream implements RangeReadable {
        private final RandomAccessFile file;
        private final byte[] buffer = new byte[64 * 1024];
        private long bufferStart;
        private int bufferLength;
        private int next;

        Stream(RandomAccessFile file) {
            this.file = file;
        }

        @Override
        public long getPos() {
            return bufferStart + next;
        }

        @Override
        public void seek(long position) {
            if (position >= bufferStart && position <= bufferStart + bufferLength) {
                next = (int) (position - bufferStart);
            } else {
                bufferStart = position;
                bufferLength = 0;
                next = 0;
            }
        }

        @Override
        public int read() throws IOException {
            return fill() ? buffer[next++] & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, bufferLength - next);
            System.arraycopy(buffer, next, target, offset, count);
            next += count;
            return count;
        }

        private boolean fill() throws IOException {
            if (next < bufferLength) {
                return true;
            }
            bufferStart += bufferLength;
            next = 0;
            file.seek(bufferStart);
            bufferLength = Math.max(0, file.read(buffer));
            return bufferLength > 0;
        }

        @Override
        public void readFully(long position, byte[] target, int offset, int length) throws IOException {
            file.seek(position);
            file.readFully(target, offset, length);
        }

        @Override
        public int readTail(byte[] target, int offset, int length) throws IOException {
            int count = (int) Math.min(length, file.length());
            readFully(file.length() - count, target, offset, count);
            return count;
        }

        @Override
        public long skip(long count) throws IOException {
            if (count <= 0) {
                return 0;
            }
            long skipped = Math.min(count, file.length() - getPos());
            if (skipped < 0) {
                throw new EOFException("skipped beyond the end of a file of " + file.length() + " bytes");
            }
            seek(getPos() + skipped);
            return skipped;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
