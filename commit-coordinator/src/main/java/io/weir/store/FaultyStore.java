package io.weir.store;

import io.weir.store.FaultPlan.Operation;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store whose operations fail as a plan says, in each of the ways a network can make them: happened or not, reported
 * or not. For tests of everything that must hold on a bad day; whatever it wraps stays as safe as it was.
 */
public final class FaultyStore implements ObjectStore {
    private final ObjectStore store;
    private final FaultPlan plan;

    private FaultyStore(ObjectStore store, FaultPlan plan) {
        this.store = store;
        this.plan = plan;
    }

    public static FaultyStore wrap(ObjectStore store, FaultPlan plan) {
        return new FaultyStore(store, plan);
    }

    @Override
    public Optional<byte[]> read(String key) {
        return faulty(Operation.READ, key, () -> store.read(key));
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        return switch (plan.next(Operation.CREATE, key)) {
            case NONE -> store.createIfAbsent(key, bytes);
            case ANSWER_LOST ->
                switch (store.createIfAbsent(key, bytes)) {
                    case CreateOutcome.Created ignored -> unknown(Fault.ANSWER_LOST);
                    case CreateOutcome.AlreadyExists ignored -> unknown(Fault.ANSWER_LOST);
                    case CreateOutcome.Unknown unknown -> unknown;
                    case CreateOutcome.Failed failed -> failed;
                };
            case REFUSED -> new CreateOutcome.Failed(refused(Operation.CREATE, key));
            case REQUEST_LOST -> unknown(Fault.REQUEST_LOST);
        };
    }

    @Override
    public void put(String key, byte[] bytes) {
        faulty(Operation.PUT, key, () -> {
            store.put(key, bytes);
            return key;
        });
    }

    @Override
    public List<String> list(String prefix, String startAfter, int limit) {
        return faulty(Operation.LIST, prefix, () -> store.list(prefix, startAfter, limit));
    }

    @Override
    public void delete(String key) {
        faulty(Operation.DELETE, key, () -> {
            store.delete(key);
            return key;
        });
    }

    @Override
    public Instant clock() {
        return faulty(Operation.CLOCK, "", store::clock);
    }

    @Override
    public String root() {
        return store.root();
    }

    @Override
    public void close() {
        store.close();
    }

    private <T> T faulty(Operation operation, String key, Supplier<T> call) {
        Fault fault = plan.next(operation, key);
        if (fault == Fault.REFUSED) {
            throw refused(operation, key);
        }
        if (fault == Fault.REQUEST_LOST) {
            throw lost(operation, key, fault);
        }
        T result = call.get();
        if (fault == Fault.ANSWER_LOST) {
            throw lost(operation, key, fault);
        }
        return result;
    }

    private static CreateOutcome unknown(Fault fault) {
        return new CreateOutcome.Unknown(new IOException("made to fail: " + fault));
    }

    private static StoreException refused(Operation operation, String key) {
        return StoreException.failed(
                StoreException.IO_ERROR,
                "made to fail: " + operation + " of '" + key + "' was refused",
                "try again",
                null);
    }

    private static StoreException lost(Operation operation, String key, Fault fault) {
        String message = "made to fail: " + operation + " of '" + key + "': " + fault;
        boolean changes = operation == Operation.PUT || operation == Operation.DELETE;
        return changes
                ? StoreException.unknown(message, "try again", null)
                : StoreException.failed(StoreException.IO_ERROR, message, "try again", null);
    }
}
