package io.weir.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The little a lake needs of an object store. Everything that makes a commit safe rests on
 * {@link #createIfAbsent} alone; compare-and-swap is not asked for, since several stores have it wrong.
 *
 * <p>Keys are relative to {@link #root()}, with {@code /} between segments: {@code _weir/log/00…42.json}. Objects are
 * whole: a reader sees all of one or nothing of it, and sees it as soon as its writer was told of it. Calls block
 * (run them on virtual threads) and every implementation may be used by any number of threads at once.
 *
 * <p>Errors: a call that did not work throws {@link StoreException}, which says whether it may have happened all the
 * same; only {@link #createIfAbsent} answers with a value, because its caller must act on each case. A key that is not
 * well formed is the caller's fault: {@link IllegalArgumentException}.
 *
 * <p>Not for large files: bytes go through memory. Data and metadata files go through {@link LakeFileIO}.
 */
public interface ObjectStore extends AutoCloseable {
    /** The object's bytes, or empty when there is no object of this key. */
    Optional<byte[]> read(String key);

    /** Makes the object if there is none of this key: of any number of callers, at most one is answered Created. */
    CreateOutcome createIfAbsent(String key, byte[] bytes);

    /** Makes the object, or replaces it whole. */
    void put(String key, byte[] bytes);

    /**
     * The keys that begin with {@code prefix} and come after {@code startAfter} (empty: from the first), in the order
     * of their UTF-8 bytes, {@code limit} of them at most. Fewer than {@code limit} means there were no more.
     */
    List<String> list(String prefix, String startAfter, int limit);

    /** Removes the object; a key without one is no error. A deleted key can be created again. */
    void delete(String key);

    /** What the store takes the time to be, to the second or better. It may write and remove a temporary object. */
    Instant clock();

    /** The URI of what keys are relative to, without a slash at its end. */
    String root();

    @Override
    void close();
}
