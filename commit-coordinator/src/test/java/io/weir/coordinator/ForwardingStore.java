package io.weir.coordinator;

import io.weir.store.CreateOutcome;
import io.weir.store.ObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A store that passes everything on to another: what a test changes, it overrides. */
class ForwardingStore implements ObjectStore {
    private final ObjectStore store;

    ForwardingStore(ObjectStore store) {
        this.store = store;
    }

    @Override
    public Optional<byte[]> read(String key) {
        return store.read(key);
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        return store.createIfAbsent(key, bytes);
    }

    @Override
    public void put(String key, byte[] bytes) {
        store.put(key, bytes);
    }

    @Override
    public List<String> list(String prefix, String startAfter, int limit) {
        return store.list(prefix, startAfter, limit);
    }

    @Override
    public void delete(String key) {
        store.delete(key);
    }

    @Override
    public Instant clock() {
        return store.clock();
    }

    @Override
    public String root() {
        return store.root();
    }

    @Override
    public void close() {
        store.close();
    }
}
