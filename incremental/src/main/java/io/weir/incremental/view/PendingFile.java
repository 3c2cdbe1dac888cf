package io.weir.incremental.view;

import io.weir.incremental.WrittenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A file of a view that may still be written while the stages that follow move. Safe for many threads. */
public final class PendingFile {
    private final CompletableFuture<WrittenFile> file;

    PendingFile(CompletableFuture<WrittenFile> file) {
        this.file = file;
    }

    static PendingFile of(WrittenFile file) {
        return new PendingFile(CompletableFuture.completedFuture(file));
    }

    /** Waits, and takes the file away again. */
    void discard() {
        WrittenFile unwanted = await();
        try {
            Files.deleteIfExists(unwanted.local());
        } catch (IOException e) {
            throw new UncheckedIOException("an unused file can not be deleted: " + unwanted.local(), e);
        }
    }

    /**
     * The file, once it is there.
     *
     * @throws io.weir.incremental.EngineException when it could not be written; nothing is left of it then
     */
    public WrittenFile await() {
        try {
            return file.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a view's file could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a view's file was being written", e);
        }
    }
}
