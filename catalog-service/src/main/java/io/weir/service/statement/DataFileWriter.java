package io.weir.service.statement;

import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.EngineSession;
import io.weir.service.rows.FileStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;

/**
 * Writes a query's rows as data files of a table, one for each partition, durable when it returns. No rows, no file.
 */
final class DataFileWriter {
    private final FileStage stage;

    DataFileWriter(FileStage stage) {
        this.stage = stage;
    }

    /** Takes the table's schema, perhaps with the columns of row identity besides; the query's columns go by name. */
    List<DataFile> write(EngineSession session, TableMetadata table, String sql, Schema file) {
        if (table.spec().isUnpartitioned()) {
            return writeOne(session, table, sql, file, Optional.empty()).stream()
                    .toList();
        }
        var files = new ArrayList<DataFile>();
        for (PartitionedRows.Part part : PartitionedRows.split(session, table, sql)) {
            writeOne(session, table, part.sql(), file, Optional.of(part.values()))
                    .ifPresent(files::add);
        }
        return files;
    }

    private Optional<DataFile> writeOne(
            EngineSession session, TableMetadata table, String sql, Schema file, Optional<StructLike> partition) {
        var locations = LocationProviders.locationsFor(table.location(), Map.copyOf(table.properties()));
        String name = UUID.randomUUID() + ".parquet";
        String location = partition
                .map(values -> locations.newDataLocation(table.spec(), values, name))
                .orElseGet(() -> locations.newDataLocation(name));
        WrittenFile written = session.write(sql, file, stage.target(location));
        if (written.recordCount() == 0) {
            stage.discard(location);
            return Optional.empty();
        }
        stage.publish(location);
        DataFiles.Builder builder = DataFiles.builder(table.spec())
                .withPath(location)
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(written.sizeBytes())
                .withMetrics(written.metrics());
        partition.ifPresent(builder::withPartition);
        return Optional.of(builder.build());
    }
}
