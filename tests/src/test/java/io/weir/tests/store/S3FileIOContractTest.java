package io.weir.tests.store;

import io.weir.store.LakeFileIO;
import io.weir.tests.fixtures.Fixtures;
import io.weir.tests.fixtures.S3Server;
import java.util.UUID;
import org.apache.iceberg.io.FileIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3FileIOContractTest extends LakeFileIOContract {
    private S3Server server;

    @BeforeAll
    void startServer() {
        server = Fixtures.orSkip(S3Server::start);
    }

    @AfterAll
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    FileIO open() {
        return LakeFileIO.open(server.lake("x"), server.config());
    }

    @Override
    String newRoot() {
        return server.lake(UUID.randomUUID().toString()).toString();
    }
}
