package io.weir.store;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A local file to write, on the device when its stream was closed. A half-written one keeps its name until deleted. */
record LocalOutputFile(String location, Path path) implements OutputFile {
    @Override
    public PositionOutputStream create() {
        if (Files.exists(path)) {
            throw new AlreadyExistsException("the file exists already: %s", location);
        }
        return createOrOverwrite();
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
        try {
            Durable.makeFolders(path.getParent());
            return new Stream(path);
        } catch (IOException e) {
            throw new RuntimeIOException(e, "cannot create %s", location);
        }
    }

    @Override
    public InputFile toInputFile() {
        return new LocalInputFile(location, path);
    }

    private static final class Stream extends PositionOutputStream {
        private final Path path;
        private final FileOutputStream file;
        private final BufferedOutputStream buffered;
        private long position;
        private boolean closed;

        Stream(Path path) throws IOException {
            this.path = path;
            this.file = new FileOutputStream(path.toFile());
            this.buffered = new BufferedOutputStream(file, 64 * 1024);
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int value) throws IOException {
            buffered.write(value);
            position++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            buffered.write(bytes, offset, length);
            position += length;
        }

        @Override
        public void flush() throws IOException {
            buffered.flush();
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            try (file) {
                buffered.flush();
                file.getFD().sync();
            }
            Durable.syncFolder(path.getParent());
        }
    }
}
