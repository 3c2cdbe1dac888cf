package io.weir.service.rows;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.iceberg.io.FileIO;

/**
 * Where the engine finds a lake's files and puts new ones: on a local lake the files themselves, otherwise copies in a
 * folder of bounded size. Files of a lake never change once they are there, so that a copy never goes stale. Safe for
 * many threads. A file used in the last minutes is not thrown out, even if the folder grows beyond its bound for it.
 */
public final class FileStage {
    private static final Duration IN_USE = Duration.ofMinutes(10);

    private final FileIO io;
    private final Path folder;
    private final long maxBytes;
    private final Map<Path, Copy> copies = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final Object[] stripes = Stream.generate(Object::new).limit(64).toArray();

    private record Copy(long size, long lastUsedNanos) {}

    public FileStage(FileIO io, Path folder, long maxBytes) {
        this.io = io;
        this.folder = folder;
        this.maxBytes = maxBytes;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("the folder for staged files cannot be made: " + folder, e);
        }
    }

    /** The file on this machine, fetched if need be. */
    public Path local(String location) {
        if (isLocal(location)) {
            return path(location);
        }
        Path copy = copyOf(location);
        synchronized (stripe(copy)) {
            if (!Files.exists(copy)) {
                fetch(location, copy);
            }
            used(copy);
        }
        makeRoom();
        return copy;
    }

    /** Where to write the file that will be {@code location} once it is {@linkplain #publish published}. */
    public Path target(String location) {
        Path target = isLocal(location) ? path(location) : copyOf(location);
        try {
            Files.createDirectories(target.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of " + location + " cannot be made", e);
        }
        return target;
    }

    /** Makes what was written at {@link #target} durable as {@code location}. */
    public void publish(String location) {
        Path target = target(location);
        try {
            if (isLocal(location)) {
                force(target);
                force(target.getParent());
                return;
            }
            try (InputStream in = Files.newInputStream(target);
                    OutputStream out = io.newOutputFile(location).create()) {
                in.transferTo(out);
            }
            used(target);
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + location + " cannot be written", e);
        }
    }

    /** Takes away what was written at {@link #target} and will not be published. */
    public void discard(String location) {
        try {
            Files.deleteIfExists(target(location));
        } catch (IOException e) {
            throw new UncheckedIOException("the unused file " + location + " cannot be deleted", e);
        }
    }

    private void fetch(String location, Path copy) {
        Path unfinished = copy.resolveSibling(copy.getFileName() + ".part");
        try (InputStream in = io.newInputFile(location).newStream()) {
            Files.copy(in, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, copy, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + location + " cannot be read", e);
        }
    }

    private void used(Path copy) throws UncheckedIOException {
        try {
            long size = Files.size(copy);
            Copy before = copies.put(copy, new Copy(size, System.nanoTime()));
            bytes.addAndGet(before == null ? size : size - before.size());
        } catch (IOException e) {
            throw new UncheckedIOException("a staged file is gone: " + copy, e);
        }
    }

    private void makeRoom() {
        if (bytes.get() <= maxBytes) {
            return;
        }
        long now = System.nanoTime();
        copies.entrySet().stream()
                .filter(e -> now - e.getValue().lastUsedNanos() > IN_USE.toNanos())
                .sorted(Comparator.comparingLong(e -> e.getValue().lastUsedNanos()))
                .takeWhile(_ -> bytes.get() > maxBytes)
                .forEach(e -> remove(e.getKey(), e.getValue()));
    }

    private void remove(Path copy, Copy known) {
        synchronized (stripe(copy)) {
            if (copies.remove(copy, known)) {
                bytes.addAndGet(-known.size());
                try {
                    Files.deleteIfExists(copy);
                } catch (IOException e) {
                    throw new UncheckedIOException("a staged file cannot be deleted: " + copy, e);
                }
            }
        }
    }

    private Object stripe(Path copy) {
        return stripes[Math.floorMod(copy.hashCode(), stripes.length)];
    }

    private Path copyOf(String location) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(location.getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash, 0, 20) + ".parquet");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isLocal(String location) {
        return location.startsWith("file:") || location.startsWith("/");
    }

    /** Locations are not percent-encoded; {@code file:///a}, {@code file:/a} and {@code /a} are the same file. */
    private static Path path(String location) {
        String path = location.startsWith("file:") ? location.substring("file:".length()) : location;
        return Path.of("/" + path.replaceFirst("^/+", ""));
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
