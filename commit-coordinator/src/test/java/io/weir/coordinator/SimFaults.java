package io.weir.coordinator;

import io.weir.store.StoreException;

/** Tells the errors a bad network explains from those that only a defect does. */
final class SimFaults {
    private SimFaults() {}

    /** Throws on what must not happen in this world. */
    static void expect(SimWorld world, RuntimeException e) {
        boolean explained = e instanceof StoreException
                || (e instanceof IllegalStateException
                        && e.getMessage() != null
                        && e.getMessage().startsWith("can not lead lake"));
        world.check(explained, "an error nothing explains: " + e);
        world.check(world.faults > 0 || world.cuts > 0, "an error on a good network: " + e);
    }
}
