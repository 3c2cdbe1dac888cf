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
        TableMetadata located = TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(location)
                .build();
        TableMetadataParser.write(located, batch.newOutputFile(location));
        return located;
    }

    /**
     * Spares the first reader the file. It must be the very object that was written: each time metadata is built it has
     * another time of its last update. No harm if the file is never committed: nobody asks for it then.
     */
    void keep(TableMetadata located) {
        cache.put(located.metadataFileLocation(), located);
    }
}
