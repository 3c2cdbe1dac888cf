package io.weir.coordinator;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lake's files, with those of commits that are being prepared kept in memory until they are written. Whoever reads
 * through it sees both. This is what lets a commit write all its small files at once, in parallel, at its end, and the
 * next commit build on them before they are there.
 *
 * <p>For metadata only (manifests, lists, table metadata): a file is held whole. Thread-safe.
 */
final class StagedFiles implements FileIO {
    private static final Logger LOG = LoggerFactory.getLogger(StagedFiles.class);

    /**
     * Platform threads: making a file loads classes the first time, and virtual threads that wait for a class to be
     * initialized keep their carriers, which the one that initializes it may need.
     */
    private static final ExecutorService MAKERS = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("weir-make-", 0).daemon().factory());

    private static final ExecutorService WRITERS = Executors.newVirtualThreadPerTaskExecutor();

    private final FileIO files;
    private final Map<String, byte[]> staged = new ConcurrentHashMap<>();
    private final Map<String, FutureTask<?>> making = new ConcurrentHashMap<>();

    StagedFiles(FileIO files) {
        this.files = files;
    }

    /** A place to stage the files of something that is only tried. */
    Batch batch() {
        return new Batch(false);
    }

    /** A place to stage files that are likely to be committed: they are put on the store from the moment they are made. */
    Batch writtenBatch() {
        return new Batch(true);
    }

    @Override
    public InputFile newInputFile(String location) {
        byte[] bytes = made(location);
        return bytes == null ? files.newInputFile(location) : new StagedInput(location, bytes);
    }

    @Override
    public InputFile newInputFile(String location, long length) {
        byte[] bytes = made(location);
        return bytes == null ? files.newInputFile(location, length) : new StagedInput(location, bytes);
    }

    /** A staged file, once it is made; null where there is none. */
    private byte[] made(String location) {
        FutureTask<?> work = making.get(location);
        if (work != null) {
            Parallel.await(List.of(work));
        }
        return staged.get(location);
    }

    /** How many files are held in memory. */
    int held() {
        return staged.size();
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return files.newOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
        if (staged.remove(location) == null) {
            files.deleteFile(location);
        }
    }

    @Override
    public Map<String, String> properties() {
        return files.properties();
    }

    @Override
    public void close() {
        files.close();
    }

    /** The files one attempt at a commit group has staged. Ends in {@link #write} or {@link #discard}. */
    final class Batch implements FileIO {
        private static final long serialVersionUID = 1L;

        private final transient Map<String, byte[]> own = new ConcurrentHashMap<>();
        private final transient Queue<Runnable> besides = new ConcurrentLinkedQueue<>();
        private final transient Queue<Future<?>> underWay = new ConcurrentLinkedQueue<>();
        private final transient Queue<FutureTask<?>> makes = new ConcurrentLinkedQueue<>();
        private final boolean early;

        private Batch(boolean early) {
            this.early = early;
        }

        @Override
        public InputFile newInputFile(String location) {
            return StagedFiles.this.newInputFile(location);
        }

        @Override
        public InputFile newInputFile(String location, long length) {
            return StagedFiles.this.newInputFile(location, length);
        }

        @Override
        public OutputFile newOutputFile(String location) {
            return new StagedOutput(location);
        }

        @Override
        public void deleteFile(String location) {
            if (own.remove(location) == null) {
                throw new IllegalStateException("a commit deletes no file it did not make: " + location);
            }
            staged.remove(location);
        }

        @Override
        public Map<String, String> properties() {
            return StagedFiles.this.properties();
        }

        void put(String location, byte[] bytes) {
            if (staged.putIfAbsent(location, bytes) != null) {
                throw new AlreadyExistsException("file is already staged: %s", location);
            }
            own.put(location, bytes);
            begin(() -> write(location, bytes));
        }

        /**
         * Has files of this batch made beside what follows. Who opens one of them waits for it; where making them fails,
         * so does {@link #write}.
         *
         * @param locations what {@code work} makes
         */
        void make(List<String> locations, Runnable work) {
            FutureTask<?> task = new FutureTask<>(work, null) {
                @Override
                protected void done() {
                    locations.forEach(making::remove);
                }
            };
            if (!early) {
                work.run();
                return;
            }
            locations.forEach(location -> making.put(location, task));
            makes.add(task);
            MAKERS.execute(task);
        }

        /** Other writing, to be done with that of the files. */
        void beside(Runnable write) {
            begin(write);
        }

        private void begin(Runnable write) {
            if (early) {
                underWay.add(WRITERS.submit(write));
            } else {
                besides.add(write);
            }
        }

        /** Puts every file on the store, in parallel. When it returns they are there, durably. */
        void write() {
            besides.forEach(write -> underWay.add(WRITERS.submit(write)));
            besides.clear();
            List<Future<?>> begun = new ArrayList<>();
            while (!makes.isEmpty() || !underWay.isEmpty()) {
                begun.addAll(polled(makes));
                begun.forEach(Batch::over);
                begun.addAll(polled(underWay));
            }
            Parallel.await(begun);
        }

        private void write(String location, byte[] bytes) {
            try (OutputStream out = files.newOutputFile(location).createOrOverwrite()) {
                out.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException("can not write " + location, e);
            }
        }

        /** From now on readers find the files on the store, if they were written, or not at all. */
        void discard() {
            besides.clear();
            polled(makes).forEach(Batch::over);
            underWay.clear();
            own.keySet().forEach(staged::remove);
            own.clear();
        }

        private static List<Future<?>> polled(Queue<? extends Future<?>> queue) {
            List<Future<?>> polled = new ArrayList<>();
            for (Future<?> next = queue.poll(); next != null; next = queue.poll()) {
                polled.add(next);
            }
            return polled;
        }

        /** Waits, whatever becomes of it: who needs to know looks at it again. */
        private static void over(Future<?> work) {
            try {
                work.get();
            } catch (ExecutionException e) {
                LOG.debug("a file of a commit group was not made", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private final class StagedOutput implements OutputFile {
            private final String location;

            StagedOutput(String location) {
                this.location = location;
            }

            @Override
            public PositionOutputStream create() {
                return new StagedOutputStream(this);
            }

            @Override
            public PositionOutputStream createOrOverwrite() {
                return create();
            }

            @Override
            public String location() {
                return location;
            }

            @Override
            public InputFile toInputFile() {
                return newInputFile(location);
            }

            void closed(byte[] bytes) {
                put(location, bytes);
            }
        }
    }

    private static final class StagedOutputStream extends PositionOutputStream {
        private final Batch.StagedOutput file;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean closed;

        StagedOutputStream(Batch.StagedOutput file) {
            this.file = file;
        }

        @Override
        public long getPos() {
            return bytes.size();
        }

        @Override
        public void write(int b) {
            bytes.write(b);
        }

        @Override
        public void write(byte[] b, int off, int len) {
            bytes.write(b, off, len);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                file.closed(bytes.toByteArray());
            }
        }
    }

    /** A file that is in memory whole. */
    static final class StagedInput implements InputFile {
        private final String location;
        private final byte[] bytes;

        StagedInput(String location, byte[] bytes) {
            this.location = location;
            this.bytes = bytes;
        }

        @Override
        public String location() {
            return location;
        }

        @Override
        public long getLength() {
            return bytes.length;
        }

        @Override
        public SeekableInputStream newStream() {
            return new StagedInputStream(bytes);
        }

        @Override
        public boolean exists() {
            return true;
        }
    }

    private static final class StagedInputStream extends SeekableInputStream {
        private final byte[] bytes;
        private ByteArrayInputStream in;
        private long position;

        StagedInputStream(byte[] bytes) {
            this.bytes = bytes;
            this.in = new ByteArrayInputStream(bytes);
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void seek(long newPosition) {
            in = new ByteArrayInputStream(
                    bytes, Math.toIntExact(newPosition), bytes.length - Math.toIntExact(newPosition));
            position = newPosition;
        }

        @Override
        public int read() {
            int b = in.read();
            position += b < 0 ? 0 : 1;
            return b;
        }

        @Override
        public int read(byte[] b, int off, int len) {
            int n = in.read(b, off, len);
            position += Math.max(n, 0);
            return n;
        }
    }
}
