package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Paths that {@code read_parquet} takes as they are. It reads stars, question marks, brackets and backslashes as
 * patterns with no way to escape them, so a file whose path holds one is read through a link under a safe name, made
 * once and kept.
 */
final class SafePaths {
    private final Path links;
    private final Map<Path, Path> known = new ConcurrentHashMap<>();

    SafePaths(Path links) {
        this.links = links.toAbsolutePath().normalize();
    }

    Path safe(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        return isPattern(absolute.toString()) ? known.computeIfAbsent(absolute, this::link) : absolute;
    }

    private static boolean isPattern(String path) {
        return path.chars().anyMatch(c -> "*?[]{}\\".indexOf(c) >= 0);
    }

    private Path link(Path path) {
        Path link = links.resolve("l" + ProcessHandle.current().pid() + "-" + known.size() + "-"
                + Integer.toHexString(path.hashCode()) + ".parquet");
        try {
            Files.createDirectories(links);
            Files.deleteIfExists(link);
            try {
                Files.createLink(link, path);
            } catch (FileAlreadyExistsException e) {
                throw e;
            } catch (IOException | UnsupportedOperationException e) {
                Files.copy(path, link);
            }
            return link;
        } catch (IOException e) {
            throw new EngineException(
                    SqlState.IO_ERROR,
                    "cannot read " + path + ": its name holds characters of patterns, and a link to it failed: " + e,
                    "",
                    e);
        }
    }
}
