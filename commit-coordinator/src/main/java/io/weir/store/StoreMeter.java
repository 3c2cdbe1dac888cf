package io.weir.store;

import java.time.Duration;

/** Is told of every request to a store, when it has ended. Called by many threads; must not block or throw. */
public interface StoreMeter {
    /** What a request asks of a store, whether as an object or through a FileIO. */
    enum Request {
        /** An object is read, whole or a part of it. */
        READ,
        /** An object's length, or whether it exists. */
        LOOK,
        /** An object is made if there is none. */
        CREATE,
        /** An object is made or replaced. */
        WRITE,
        LIST,
        DELETE,
        /** The store's time is asked for. */
        CLOCK
    }

    /** Counts nothing. */
    StoreMeter NONE = (_, _, _) -> {};

    /**
     * A request ended.
     *
     * @param failed with an error; that an object is not there, or is there already, is none
     */
    void took(Request request, Duration time, boolean failed);
}
