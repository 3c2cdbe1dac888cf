package io.weir.store;

/**
 * What became of a {@link ObjectStore#createIfAbsent}. Switch over it without {@code default}: each case asks for
 * something else of the caller.
 */
public sealed interface CreateOutcome {
    /** The object is on the store, durably, and this call put it there. */
    record Created() implements CreateOutcome {}

    /**
     * There is an object of this key. It may be this caller's own, from an attempt whose answer was lost here or
     * between here and the store: read it and compare.
     */
    record AlreadyExists() implements CreateOutcome {}

    /** It may have happened, now or in a moment. Only reading the object back can tell, and only if it is there. */
    record Unknown(Exception cause) implements CreateOutcome {}

    /** It certainly did not happen, and will not. */
    record Failed(StoreException cause) implements CreateOutcome {}
}
