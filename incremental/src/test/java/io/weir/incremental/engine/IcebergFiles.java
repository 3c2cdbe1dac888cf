package io.weir.incremental.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Files;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.parquet.Parquet;

/** Files as Iceberg's own Java writers make them, and their own readers' view of ours. */
final class IcebergFiles {
    private IcebergFiles() {}

    static Record record(Schema schema, Object... values) {
        GenericRecord record = GenericRecord.create(schema);
        for (int i = 0; i < values.length; i++) {
            record.set(i, values[i]);
        }
        return record;
    }

    static Record struct(org.apache.iceberg.types.Types.StructType type, Object... values) {
        GenericRecord record = GenericRecord.create(type);
        for (int i = 0; i < values.length; i++) {
            record.set(i, values[i]);
        }
        return record;
    }

    static Path data(Path file, Schema schema, Record... rows) {
        try (FileAppender<Record> appender = Parquet.write(Files.localOutput(file.toFile()))
                .schema(schema)
                .createWriterFunc(GenericParquetWriter::create)
                .build()) {
            appender.addAll(List.of(rows));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    static Path equalityDeletes(Path file, Schema schema, List<Integer> ids, Record... rows) {
        try {
            EqualityDeleteWriter<Record> writer = Parquet.writeDeletes(Files.localOutput(file.toFile()))
                    .createWriterFunc(GenericParquetWriter::create)
                    .rowSchema(schema)
                    .equalityFieldIds(ids)
                    .withSpec(PartitionSpec.unpartitioned())
                    .overwrite()
                    .buildEqualityWriter();
            try (writer) {
                for (Record row : rows) {
                    writer.write(row);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    static Path positionDeletes(Path file, Map<String, List<Long>> positions) {
        try {
            PositionDeleteWriter<Record> writer = Parquet.writeDeletes(Files.localOutput(file.toFile()))
                    .withSpec(PartitionSpec.unpartitioned())
                    .metricsConfig(org.apache.iceberg.MetricsConfig.forPositionDelete())
                    .overwrite()
                    .buildPositionWriter();
            try (writer) {
                for (Map.Entry<String, List<Long>> entry : positions.entrySet()) {
                    for (long position : entry.getValue()) {
                        writer.write(PositionDelete.<Record>create().set(entry.getKey(), position));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    static List<Record> read(Path file, Schema schema) {
        try (CloseableIterable<Record> records = Parquet.read(Files.localInput(file.toFile()))
                .project(schema)
                .createReaderFunc(fileSchema -> GenericParquetReaders.buildReader(schema, fileSchema))
                .build()) {
            List<Record> all = new ArrayList<>();
            records.forEach(all::add);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
