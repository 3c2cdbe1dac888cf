package io.weir.store;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Local files that are still there after the power went: what is written here was flushed to the device, names
 * included, when the call returns.
 */
final class Durable {
    private Durable() {}

    /** Writes a new file and flushes its bytes; its name is durable only after {@link #syncFolder}. */
    static void write(Path file, byte[] bytes) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(bytes);
            out.getFD().sync();
        }
    }

    static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Makes the folder and those above it, each flushed into its parent. */
    static void makeFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent == null) {
            throw new IOException("there is no folder " + folder + " and none above it");
        }
        makeFolders(parent);
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException raced) {
            if (!Files.isDirectory(folder)) {
                throw raced;
            }
        }
        syncFolder(parent);
    }
}
