package io.weir.tests.store;

import io.weir.store.LakeFileIO;
import io.weir.tests.fixtures.Fixture;
import io.weir.tests.fixtures.S3Server;
import java.util.UUID;
import org.apache.iceberg.io.FileIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3FileIOContractTest extends LakeFileIOContract {
    private final Fixture<S3Server> server = new Fixture<>(S3Server::start);

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Override
    FileIO open() {
        return LakeFileIO.open(server.get().lake("x"), server.get().config());
    }

    @Override
    String newRoot() {
        return server.get().lake(UUID.randomUUID().toString()).toString();
    }
}
