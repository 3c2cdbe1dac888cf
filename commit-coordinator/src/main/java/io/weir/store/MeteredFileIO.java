package io.weir.store;

import io.weir.store.StoreMeter.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.DelegatingInputStream;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * A FileIO whose requests are counted and timed. A read is timed from the opening of a stream to its end, a write from
 * the last byte on, which is when an object store is asked; a stream that jumps about may ask it more often than is
 * counted here.
 */
public final class MeteredFileIO implements FileIO {
    private static final long serialVersionUID = 1L;

    private final FileIO files;
    private final transient StoreMeter meter;

    private MeteredFileIO(FileIO files, StoreMeter meter) {
        this.files = files;
        this.meter = meter;
    }

    public static FileIO of(FileIO files, StoreMeter meter) {
        return new MeteredFileIO(files, meter);
    }

    @Override
    public InputFile newInputFile(String location) {
        return new MeteredInput(files.newInputFile(location), false);
    }

    @Override
    public InputFile newInputFile(String location, long length) {
        return new MeteredInput(files.newInputFile(location, length), true);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new MeteredOutput(files.newOutputFile(location));
    }

    @Override
    public void deleteFile(String location) {
        timed(Request.DELETE, () -> {
            files.deleteFile(location);
            return location;
        });
    }

    @Override
    public Map<String, String> properties() {
        return files.properties();
    }

    @Override
    public void close() {
        files.close();
    }

    private <T> T timed(Request request, Supplier<T> call) {
        long start = System.nanoTime();
        boolean failed = true;
        try {
            T answer = call.get();
            failed = false;
            return answer;
        } catch (NotFoundException absent) {
            failed = false;
            throw absent;
        } finally {
            meter.took(request, Duration.ofNanos(System.nanoTime() - start), failed);
        }
    }

    private final class MeteredInput implements InputFile {
        private final InputFile file;
        private boolean lengthKnown;

        MeteredInput(InputFile file, boolean lengthKnown) {
            this.file = file;
            this.lengthKnown = lengthKnown;
        }

        @Override
        public long getLength() {
            if (lengthKnown) {
                return file.getLength();
            }
            long length = timed(Request.LOOK, file::getLength);
            lengthKnown = true;
            return length;
        }

        @Override
        public SeekableInputStream newStream() {
            return new MeteredRead(file.newStream());
        }

        @Override
        public String location() {
            return file.location();
        }

        @Override
        public boolean exists() {
            return timed(Request.LOOK, file::exists);
        }
    }

    /** Passes everything on; readers that look for what it wraps (ranges, vectored reads) find it. */
    private final class MeteredRead extends SeekableInputStream implements DelegatingInputStream {
        private final SeekableInputStream in;
        private final long start = System.nanoTime();
        private boolean failed;
        private boolean closed;

        MeteredRead(SeekableInputStream in) {
            this.in = in;
        }

        @Override
        public SeekableInputStream getDelegate() {
            return in;
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos();
        }

        @Override
        public void seek(long newPosition) throws IOException {
            in.seek(newPosition);
        }

        @Override
        public int read() throws IOException {
            failed = true;
            int read = in.read();
            failed = false;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            failed = true;
            int read = in.read(bytes, offset, length);
            failed = false;
            return read;
        }

        @Override
        public void close() throws IOException {
            in.close();
            if (!closed) {
                closed = true;
                meter.took(Request.READ, Duration.ofNanos(System.nanoTime() - start), failed);
            }
        }
    }

    private final class MeteredOutput implements OutputFile {
        private final OutputFile file;

        MeteredOutput(OutputFile file) {
            this.file = file;
        }

        /** Iceberg's object stores look first whether the object is there. */
        @Override
        public PositionOutputStream create() {
            return new MeteredWrite(timed(Request.LOOK, file::create));
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            return new MeteredWrite(file.createOrOverwrite());
        }

        @Override
        public String location() {
            return file.location();
        }

        @Override
        public InputFile toInputFile() {
            return new MeteredInput(file.toInputFile(), false);
        }
    }

    private final class MeteredWrite extends PositionOutputStream {
        private final PositionOutputStream out;
        private boolean closed;

        MeteredWrite(PositionOutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public long storedLength() throws IOException {
            return out.storedLength();
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            long start = System.nanoTime();
            boolean failed = true;
            try {
                out.close();
                failed = false;
            } finally {
                meter.took(Request.WRITE, Duration.ofNanos(System.nanoTime() - start), failed);
            }
        }
    }
}
