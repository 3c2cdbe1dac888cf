package io.weir.service.flow;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;

/**
 * The data files of views that were last written whole, by the snapshot that holds nothing else: the next move replaces
 * them and need not look for them. Nothing depends on an entry being there, and a snapshot that never came to be is never
 * asked for. Safe for many threads.
 */
final class LiveFiles {
    private static final int VIEWS_KEPT = 10_000;

    private record Known(long snapshotId, List<DataFile> files) {}

    private final Cache<String, Known> byView =
            Caffeine.newBuilder().maximumSize(VIEWS_KEPT).build();

    /** {@code files}, with their sequence numbers, are all that the view's snapshot has; it has no deletes. */
    void are(String viewId, long snapshotId, List<DataFile> files) {
        byView.put(viewId, new Known(snapshotId, List.copyOf(files)));
    }

    Optional<List<DataFile>> of(String viewId, Long snapshotId) {
        return Optional.ofNullable(byView.getIfPresent(viewId))
                .filter(known -> snapshotId != null && known.snapshotId == snapshotId)
                .map(Known::files);
    }
}
