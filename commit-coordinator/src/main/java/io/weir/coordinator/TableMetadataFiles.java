package io.weir.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
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
    private final Cache<String, UnknownFields> unknown =
            Caffeine.newBuilder().maximumSize(TABLES_KEPT).build();

    TableMetadataFiles(FileIO io) {
        this.io = io;
    }

    TableMetadata read(String location) {
        return cache.get(location, missing -> {
            JsonNode json = json(missing);
            unknown.put(missing, UnknownFields.in(UnknownFields.Of.TABLE, json));
            return TableMetadataParser.fromJson(missing, json);
        });
    }

    /** What of the file Iceberg does not know. */
    UnknownFields unknown(String location) {
        return unknown.get(location, missing -> UnknownFields.in(UnknownFields.Of.TABLE, json(missing)));
    }

    private JsonNode json(String location) {
        return MetadataJson.read(io.newInputFile(location));
    }

    /**
     * Writes the metadata to a batch and gives it back as it will be read.
     *
     * @param besides what the file holds that Iceberg does not know
     */
    TableMetadata write(TableMetadata metadata, UnknownFields besides, String location, FileIO batch) {
        TableMetadata located = TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(location)
                .build();
        if (besides.isEmpty()) {
            TableMetadataParser.write(located, batch.newOutputFile(location));
            unknown.put(location, besides);
        } else {
            String json = TableMetadataParser.toJson(located);
            unknown.put(location, MetadataJson.write(json, besides, batch.newOutputFile(location)));
        }
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
