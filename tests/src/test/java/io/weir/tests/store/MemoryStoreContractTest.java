package io.weir.tests.store;

import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;

class MemoryStoreContractTest extends ObjectStoreContract {
    @Override
    ObjectStore open() {
        return ObjectStores.memory();
    }
}
