package io.weir.coordinator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewMetadataParser;
import org.apache.iceberg.view.ViewProperties;

/** Metadata of logical views by the location of its file. Files never change, so neither does what is kept here. */
final class ViewMetadataFiles {
    private static final int VIEWS_KEPT = 2_000;
    private static final Pattern VERSION = Pattern.compile("(\\d+)-[^/]*$");

    private final FileIO io;
    private final Cache<String, ViewMetadata> cache =
            Caffeine.newBuilder().maximumSize(VIEWS_KEPT).build();

    ViewMetadataFiles(FileIO io) {
        this.io = io;
    }

    /** For a state that is durable. */
    ViewMetadata read(String location) {
        return cache.get(location, missing -> ViewMetadataParser.read(io, missing));
    }

    /**
     * Writes the view's next file to a batch.
     *
     * @param previous the location of the file before; empty for a new view
     * @return its location
     */
    static String write(ViewMetadata metadata, String previous, FileIO batch) {
        Matcher version = VERSION.matcher(previous);
        int next = version.find() ? Integer.parseInt(version.group(1)) + 1 : 0;
        String location =
                String.format(Locale.ROOT, "%s/%05d-%s.metadata.json", folder(metadata), next, UUID.randomUUID());
        ViewMetadataParser.write(metadata, batch.newOutputFile(location));
        return location;
    }

    /** Where the view's metadata files go. */
    static String folder(ViewMetadata metadata) {
        return metadata.properties()
                .getOrDefault(ViewProperties.WRITE_METADATA_LOCATION, metadata.location() + "/metadata");
    }
}
