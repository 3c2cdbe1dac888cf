package io.weir.coordinator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;

/** Table metadata by the location of its file. Files never change, so neither does what is kept here. */
final class TableMetadataFiles {
    private static final int TABLES_KEPT = 2_000;

    private final FileIO io;
    private final Cache<String, TableMetadata> cache =
            Caffeine.newBuilder().maximumSize(TABLES_KEPT).build();

    TableMetadataFiles(FileIO io) {
        this.io = io;
    }

    TableMetadata read(String location) {
        return cache.get(location, missing -> TableMetadataParser.read(io, missing));
    }

    /** Writes the metadata to a batch and gives it back as it will be read. */
    TableMetadata write(TableMetadata metadata, String location, FileIO batch) {
        TableMetadata located = located(metadata, location);
        TableMetadataParser.write(located, batch.newOutputFile(location));
        return located;
    }

    /** The metadata as it will be read from its file. */
    static TableMetadata located(TableMetadata metadata, String location) {
        return TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(location)
                .build();
    }

    /** To be called when the file is on the store. */
    void keep(TableMetadata located) {
        cache.put(located.metadataFileLocation(), located);
    }
}
