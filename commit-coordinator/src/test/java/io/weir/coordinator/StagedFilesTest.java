package io.weir.coordinator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.io.FileIO;
import org.junit.jupiter.api.Test;

class StagedFilesTest {
    private final InMemoryFileIO store = new InMemoryFileIO();
    private final StagedFiles files = new StagedFiles(store);

    private static void write(FileIO io, String location, String text) {
        try (OutputStream out = io.newOutputFile(location).create()) {
            out.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(FileIO io, String location) throws IOException {
        try (InputStream in = io.newInputFile(location).newStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whoReadsAFileThatIsBeingMadeWaitsForIt() throws Exception {
        StagedFiles.Batch batch = files.writtenBatch();
        CountDownLatch mayGoOn = new CountDownLatch(1);
        batch.make(List.of("a", "b"), () -> {
            await(mayGoOn);
            write(batch, "a", "1");
            write(batch, "b", "2");
        });
        Thread.ofVirtual().start(mayGoOn::countDown);
        assertThat(read(files, "b")).isEqualTo("2");
        assertThat(read(batch, "a")).isEqualTo("1");
    }

    @Test
    void whatIsMadeIsOnTheStoreOnceTheBatchIsWritten() throws Exception {
        for (int round = 0; round < 200; round++) {
            StagedFiles.Batch batch = files.writtenBatch();
            String name = "f" + round;
            batch.make(List.of(name), () -> write(batch, name, name));
            write(batch, name + "+", "besides");
            batch.write();
            batch.discard();
            assertThat(read(store, name)).isEqualTo(name);
            assertThat(read(store, name + "+")).isEqualTo("besides");
        }
    }

    @Test
    void aBatchOfWhichAFileCannotBeMadeIsNotWritten() {
        StagedFiles.Batch batch = files.writtenBatch();
        batch.make(List.of("a"), () -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(batch::write)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
    }

    @Test
    void nothingOfADiscardedBatchIsLeftInMemory() {
        StagedFiles.Batch batch = files.writtenBatch();
        CountDownLatch mayGoOn = new CountDownLatch(1);
        batch.make(List.of("a"), () -> {
            await(mayGoOn);
            write(batch, "a", "1");
        });
        Thread.ofVirtual().start(mayGoOn::countDown);
        batch.discard();
        assertThat(files.held()).isZero();
    }
}
