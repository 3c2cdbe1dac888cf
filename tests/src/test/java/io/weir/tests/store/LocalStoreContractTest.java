package io.weir.tests.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.CreateOutcome.Created;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.S3Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreContractTest extends ObjectStoreContract {
    @TempDir
    Path folder;

    @Override
    ObjectStore open() {
        return ObjectStores.open(URI.create("file://" + folder + "/new/lake/"), S3Config.defaults());
    }

    @Test
    void temporaryFilesOfAKilledProcessAreNeverListed() throws IOException {
        store().put("log/1", "one".getBytes(UTF_8));
        Files.writeString(folder.resolve("new/lake/log/.weir-tmp-left"), "half");
        assertThat(store().list("", "", 10)).containsExactly("log/1");
    }

    @Test
    void aCreationLeavesNoTemporaryFile() throws IOException {
        assertThat(store().createIfAbsent("log/1", new byte[] {1})).isInstanceOf(Created.class);
        store().createIfAbsent("log/1", new byte[] {2});
        store().put("log/1", new byte[] {3});
        try (var files = Files.list(folder.resolve("new/lake/log"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void twoStoresOfOneFolderSeeEachOther() {
        store().put("k", new byte[] {1});
        assertThat(open().read("k")).isPresent();
        assertThat(open().root()).isEqualTo("file://" + folder + "/new/lake");
    }
}
