package io.weir.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
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
    private final Cache<String, Parsed> cache =
            Caffeine.newBuilder().maximumSize(VIEWS_KEPT).build();

    /** @param unknown what of the file Iceberg does not know */
    private record Parsed(ViewMetadata metadata, UnknownFields unknown) {}

    ViewMetadataFiles(FileIO io) {
        this.io = io;
    }

    /** For a state that is durable. */
    ViewMetadata read(String location) {
        return parsed(location).metadata;
    }

    /** What of the file Iceberg does not know. */
    UnknownFields unknown(String location) {
        return parsed(location).unknown;
    }

    private Parsed parsed(String location) {
        return cache.get(location, missing -> {
            JsonNode json = MetadataJson.read(io.newInputFile(missing));
            return new Parsed(
                    ViewMetadataParser.fromJson(missing, json), UnknownFields.in(UnknownFields.Of.VIEW, json));
        });
    }

    /**
     * Writes the view's next file to a batch.
     *
     * @param besides what the file holds that Iceberg does not know
     * @param previous the location of the file before; empty for a new view
     * @return its location
     */
    static String write(ViewMetadata metadata, UnknownFields besides, String previous, FileIO batch) {
        Matcher version = VERSION.matcher(previous);
        int next = version.find() ? Integer.parseInt(version.group(1)) + 1 : 0;
        String location =
                String.format(Locale.ROOT, "%s/%05d-%s.metadata.json", folder(metadata), next, UUID.randomUUID());
        MetadataJson.write(ViewMetadataParser.toJson(metadata), besides, batch.newOutputFile(location));
        return location;
    }

    /** Where the view's metadata files go. */
    static String folder(ViewMetadata metadata) {
        return metadata.properties()
                .getOrDefault(ViewProperties.WRITE_METADATA_LOCATION, metadata.location() + "/metadata");
    }
}
