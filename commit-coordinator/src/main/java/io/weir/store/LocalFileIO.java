package io.weir.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Iceberg files on a local file system: folders are made as needed, and a file that was closed is on the device, its
 * name included. Takes {@code file:///a}, {@code file:/a} and {@code /a}, and gives locations back as they came. Public
 * so that Iceberg clients in this process can name it as their {@code io-impl}: theirs needs Hadoop.
 */
public final class LocalFileIO implements SupportsPrefixOperations {
    private static final long serialVersionUID = 1L;

    public LocalFileIO() {}

    @Override
    public InputFile newInputFile(String location) {
        return new LocalInputFile(location, LocalPaths.path(location));
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new LocalOutputFile(location, LocalPaths.path(location));
    }

    @Override
    public void deleteFile(String location) {
        Path path = LocalPaths.path(location);
        try {
            Files.delete(path);
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "no file to delete: %s", location);
        } catch (IOException e) {
            throw new RuntimeIOException(e, "cannot delete %s", location);
        }
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        Path path = LocalPaths.path(prefix);
        boolean folder = Files.isDirectory(path);
        Path start = folder ? path : path.getParent();
        if (start == null || !Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(file -> !Files.isDirectory(file))
                    .filter(file -> folder || file.toString().startsWith(path.toString()))
                    .map(LocalFileIO::info)
                    .toList();
        } catch (IOException e) {
            throw new RuntimeIOException(e, "cannot list %s", prefix);
        } catch (UncheckedIOException e) {
            throw new RuntimeIOException(e.getCause(), "cannot list %s", prefix);
        }
    }

    @Override
    public void deletePrefix(String prefix) {
        listPrefix(prefix).forEach(info -> deleteFile(info.location()));
    }

    private static FileInfo info(Path file) {
        try {
            return new FileInfo(
                    LocalPaths.location(file),
                    Files.size(file),
                    Files.getLastModifiedTime(file).toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
