package io.weir.service.statement;

import io.weir.incremental.WrittenFile;
import io.weir.incremental.engine.EngineSession;
import io.weir.service.rows.FileStage;
import io.weir.service.sql.SqlException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;

/** Writes a query's rows as data files of a table, durable when it returns. No rows, no file. */
final class DataFileWriter {
    private final FileStage stage;

    DataFileWriter(FileStage stage) {
        this.stage = stage;
    }

    /** {@code file} is the table's schema, perhaps with the columns of row identity besides. */
    List<DataFile> write(EngineSession session, TableMetadata table, String sql, Schema file) {
        if (table.spec().isPartitioned()) {
            throw new SqlException(
                    "0A000",
                    "writing to a partitioned table in SQL is not supported",
                    "Write it with an Iceberg engine, or make the table without PARTITIONED BY.");
        }
        String location = LocationProviders.locationsFor(table.location(), Map.copyOf(table.properties()))
                .newDataLocation(UUID.randomUUID() + ".parquet");
        WrittenFile written = session.write(sql, file, stage.target(location));
        if (written.recordCount() == 0) {
            stage.discard(location);
            return List.of();
        }
        stage.publish(location);
        return List.of(DataFiles.builder(table.spec())
                .withPath(location)
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(written.sizeBytes())
                .withMetrics(written.metrics())
                .build());
    }
}
