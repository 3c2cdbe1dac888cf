package io.weir.store;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A store that lives as long as its object: for tests and for trying things out. As strict as the others about keys,
 * and it neither keeps nor hands out the caller's arrays.
 */
final class MemoryStore implements ObjectStore {
    private final String root;
    private final Clock clock;
    private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>(Keys.ORDER);

    MemoryStore(String root, Clock clock) {
        this.root = root;
        this.clock = clock;
    }

    @Override
    public Optional<byte[]> read(String key) {
        return Optional.ofNullable(objects.get(Keys.checked(key))).map(byte[]::clone);
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        byte[] before = objects.putIfAbsent(Keys.checked(key), bytes.clone());
        return before == null ? new CreateOutcome.Created() : new CreateOutcome.AlreadyExists();
    }

    @Override
    public void put(String key, byte[] bytes) {
        objects.put(Keys.checked(key), bytes.clone());
    }

    @Override
    public List<String> list(String prefix, String startAfter, int limit) {
        boolean inclusive = Keys.ORDER.compare(startAfter, prefix) < 0;
        return objects.tailMap(inclusive ? prefix : startAfter, inclusive).keySet().stream()
                .takeWhile(key -> key.startsWith(prefix))
                .limit(Keys.checkedLimit(limit))
                .toList();
    }

    @Override
    public void delete(String key) {
        objects.remove(Keys.checked(key));
    }

    @Override
    public Instant clock() {
        return clock.instant();
    }

    @Override
    public String root() {
        return root;
    }

    @Override
    public void close() {}
}
