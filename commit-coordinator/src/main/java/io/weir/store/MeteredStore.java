package io.weir.store;

import io.weir.store.StoreMeter.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store whose requests are counted and timed; otherwise as what it wraps. */
public final class MeteredStore implements ObjectStore {
    private final ObjectStore store;
    private final StoreMeter meter;

    private MeteredStore(ObjectStore store, StoreMeter meter) {
        this.store = store;
        this.meter = meter;
    }

    public static ObjectStore of(ObjectStore store, StoreMeter meter) {
        return new MeteredStore(store, meter);
    }

    private <T> T timed(Request request, Supplier<T> call) {
        long start = System.nanoTime();
        boolean failed = true;
        try {
            T answer = call.get();
            failed = answer instanceof CreateOutcome.Failed || answer instanceof CreateOutcome.Unknown;
            return answer;
        } finally {
            meter.took(request, Duration.ofNanos(System.nanoTime() - start), failed);
        }
    }

    @Override
    public Optional<byte[]> read(String key) {
        return timed(Request.READ, () -> store.read(key));
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        return timed(Request.CREATE, () -> store.createIfAbsent(key, bytes));
    }

    @Override
    public void put(String key, byte[] bytes) {
        timed(Request.WRITE, () -> {
            store.put(key, bytes);
            return key;
        });
    }

    @Override
    public List<String> list(String prefix, String startAfter, int limit) {
        return timed(Request.LIST, () -> store.list(prefix, startAfter, limit));
    }

    @Override
    public void delete(String key) {
        timed(Request.DELETE, () -> {
            store.delete(key);
            return key;
        });
    }

    @Override
    public Instant clock() {
        return timed(Request.CLOCK, store::clock);
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
