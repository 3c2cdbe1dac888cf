package io.weir.tests.store;

import io.weir.tests.fixtures.S3Server;

class MinioStoreContractTest extends S3StoreContract {
    MinioStoreContractTest() {
        super(S3Server.Kind.MINIO);
    }
}
