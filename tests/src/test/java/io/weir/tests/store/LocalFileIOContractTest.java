package io.weir.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.LakeFileIO;
import io.weir.store.S3Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.iceberg.io.FileIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileIOContractTest extends LakeFileIOContract {
    @TempDir
    Path folder;

    @Override
    FileIO open() {
        return LakeFileIO.open(URI.create("file:///any"), S3Config.defaults());
    }

    @Override
    String newRoot() {
        return "file://" + folder + "/" + UUID.randomUUID();
    }

    @Test
    void aLocationMayHaveOneSlashThreeOrNoScheme() throws IOException {
        Path file = Files.writeString(folder.resolve("a b"), "x");
        try (FileIO io = open()) {
            assertThat(io.newInputFile("file:" + file).getLength()).isEqualTo(1);
            assertThat(io.newInputFile("file://" + file).getLength()).isEqualTo(1);
            assertThat(io.newInputFile(file.toString()).getLength()).isEqualTo(1);
        }
    }
}
