package io.weir.tests.store;

import io.weir.tests.fixtures.S3Server;

class S3ProxyStoreContractTest extends S3StoreContract {
    S3ProxyStoreContractTest() {
        super(S3Server.Kind.S3PROXY);
    }
}
