package io.weir.store;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.UUID;

/** Opens the store a lake's URI names. */
public final class ObjectStores {
    private ObjectStores() {}

    /** {@code file:///folder}, a plain absolute path, or {@code s3://bucket/prefix}. Nothing is proved: see StoreProof. */
    public static ObjectStore open(URI root, S3Config s3) {
        String scheme = root.getScheme() == null ? "file" : root.getScheme();
        return switch (scheme) {
            case "file" -> LocalStore.open(LocalPaths.folder(root));
            case "s3", "s3a" -> S3Store.open(root, s3);
            default ->
                throw StoreException.setting(
                        "no store for '" + root + "': the scheme " + scheme + " is not known",
                        "write file:///folder or s3://bucket/prefix");
        };
    }

    public static ObjectStore local(Path folder) {
        return LocalStore.open(folder);
    }

    /** A new store in memory, gone with its object. */
    public static ObjectStore memory() {
        return new MemoryStore("memory://" + UUID.randomUUID(), Clock.systemUTC());
    }
}
