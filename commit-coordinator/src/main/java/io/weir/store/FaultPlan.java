package io.weir.store;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Decides the fault of each operation of a {@link FaultyStore}, in the order they arrive; used by many threads. */
@FunctionalInterface
public interface FaultPlan {
    /** The operations a store has. */
    enum Operation {
        READ,
        CREATE,
        PUT,
        LIST,
        DELETE,
        CLOCK
    }

    Fault next(Operation operation, String key);

    static FaultPlan none() {
        return (operation, key) -> Fault.NONE;
    }

    static FaultPlan always(Fault fault) {
        return (operation, key) -> fault;
    }

    /** One fault of the three with the given probability, the same ones for the same seed and order of calls. */
    static FaultPlan seeded(long seed, double probability) {
        List<Fault> faults = List.of(Fault.ANSWER_LOST, Fault.REFUSED, Fault.REQUEST_LOST);
        Random random = new Random(seed);
        return (operation, key) -> {
            synchronized (random) {
                return random.nextDouble() < probability ? faults.get(random.nextInt(faults.size())) : Fault.NONE;
            }
        };
    }

    /** These faults for the next operations of one kind, then none. */
    static FaultPlan script(Operation kind, Fault... faults) {
        ConcurrentLinkedQueue<Fault> left = new ConcurrentLinkedQueue<>(List.of(faults));
        return (operation, key) -> {
            Fault fault = operation == kind ? left.poll() : null;
            return fault == null ? Fault.NONE : fault;
        };
    }
}
