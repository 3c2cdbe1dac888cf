package io.weir.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of a local file system as an object store, safe for any number of threads and processes on one machine. An
 * object appears under its name whole and flushed: it is written beside it under a temporary name, then linked (create)
 * or renamed (put), and the folder is flushed before the caller hears of it.
 *
 * <p>A killed process can leave temporary files; they are never listed and hold no name. Network file systems are not
 * covered: there a link can happen twice or an answer come from a cache.
 */
final class LocalStore implements ObjectStore {
    private static final Logger LOG = LoggerFactory.getLogger(LocalStore.class);
    private static final String CHECK_DISK =
            "check that the disk has room and the folder belongs to this process's user";

    private final Path folder;
    private final String root;

    private LocalStore(Path folder) {
        this.folder = folder;
        this.root = LocalPaths.location(folder);
    }

    static LocalStore open(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            Durable.makeFolders(absolute);
        } catch (IOException e) {
            throw failed("cannot make the folder " + absolute, e);
        }
        return new LocalStore(absolute);
    }

    @Override
    public Optional<byte[]> read(String key) {
        Path file = path(key);
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException e) {
            if (Files.isDirectory(file)) {
                return Optional.empty();
            }
            throw failed("cannot read " + file, e);
        }
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        Path file = path(key);
        Path temporary;
        try {
            temporary = writeBeside(file, bytes);
        } catch (IOException e) {
            return new CreateOutcome.Failed(failed("cannot write beside " + file, e));
        }
        try {
            return link(file, temporary);
        } finally {
            discard(temporary);
        }
    }

    private static CreateOutcome link(Path file, Path temporary) {
        try {
            CreateOutcome outcome;
            try {
                Files.createLink(file, temporary);
                outcome = new CreateOutcome.Created();
            } catch (FileAlreadyExistsException taken) {
                outcome = new CreateOutcome.AlreadyExists();
            }
            // Also for one that lost: it goes on to read the winner's object, which must not vanish under it.
            Durable.syncFolder(file.getParent());
            return outcome;
        } catch (UnsupportedOperationException | AccessDeniedException e) {
            return new CreateOutcome.Failed(StoreException.failed(
                    StoreException.IO_ERROR,
                    "cannot link " + file + ": " + e.getMessage(),
                    "a lake needs a local file system with hard links (ext4, xfs, btrfs, apfs)",
                    e));
        } catch (IOException e) {
            return new CreateOutcome.Unknown(e);
        }
    }

    @Override
    public void put(String key, byte[] bytes) {
        Path file = path(key);
        Path temporary;
        try {
            temporary = writeBeside(file, bytes);
        } catch (IOException e) {
            throw failed("cannot write beside " + file, e);
        }
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Durable.syncFolder(file.getParent());
        } catch (IOException e) {
            discard(temporary);
            throw StoreException.unknown("cannot put " + file + " in place: " + e, CHECK_DISK, e);
        }
    }

    @Override
    public List<String> list(String prefix, String startAfter, int limit) {
        Keys.checkedLimit(limit);
        Path start = folder.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1));
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(file -> !temporary(file) && !Files.isDirectory(file))
                    .map(file -> folder.relativize(file).toString())
                    .filter(key -> key.startsWith(prefix) && Keys.ORDER.compare(key, startAfter) > 0)
                    .sorted(Keys.ORDER)
                    .limit(limit)
                    .toList();
        } catch (IOException e) {
            throw failed("cannot list " + start, e);
        } catch (UncheckedIOException e) {
            throw failed("cannot list " + start, e.getCause());
        }
    }

    @Override
    public void delete(String key) {
        Path file = path(key);
        try {
            if (Files.deleteIfExists(file)) {
                Durable.syncFolder(file.getParent());
            }
        } catch (IOException e) {
            throw StoreException.unknown("cannot delete " + file + ": " + e, CHECK_DISK, e);
        }
    }

    @Override
    public Instant clock() {
        Path probe = folder.resolve(Keys.TEMPORARY + UUID.randomUUID());
        try {
            Files.createFile(probe);
            return Files.getLastModifiedTime(probe).toInstant();
        } catch (IOException e) {
            throw failed("cannot write in " + folder, e);
        } finally {
            discard(probe);
        }
    }

    @Override
    public String root() {
        return root;
    }

    @Override
    public void close() {}

    private Path path(String key) {
        return folder.resolve(Keys.checked(key));
    }

    private static Path writeBeside(Path file, byte[] bytes) throws IOException {
        Path beside = file.getParent();
        Durable.makeFolders(beside);
        Path temporary = beside.resolve(Keys.TEMPORARY + UUID.randomUUID());
        try {
            Durable.write(temporary, bytes);
        } catch (IOException e) {
            discard(temporary);
            throw e;
        }
        return temporary;
    }

    private static void discard(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            LOG.warn("cannot remove the temporary file {}; it is harmless and can be deleted", temporary, e);
        }
    }

    private static boolean temporary(Path file) {
        return file.getFileName().toString().startsWith(Keys.TEMPORARY);
    }

    private static StoreException failed(String what, IOException e) {
        return StoreException.failed(StoreException.IO_ERROR, what + ": " + e, CHECK_DISK, e);
    }
}
