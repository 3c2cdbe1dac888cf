package io.weir.service.rows;

import io.weir.incremental.ParquetLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.StructLikeWrapper;

/**
 * Writes which rows of data files are gone: position delete files on format v2, one for each partition; deletion
 * vectors from v3 on, one for each data file, merged with the one there was.
 */
public final class DeleteWriter {
    private final FileIO io;

    public DeleteWriter(FileIO io) {
        this.io = io;
    }

    /**
     * The delete files of one change.
     *
     * @param replaced delete files whose rows {@code added} holds too, to be removed in the same snapshot
     */
    public record Written(List<DeleteFile> added, List<DeleteFile> replaced) {
        public Written {
            added = List.copyOf(added);
            replaced = List.copyOf(replaced);
        }
    }

    /** A data file that rows are deleted of, with the deletes that already apply to it. */
    public record Target(PartitionSpec spec, StructLike partition, List<DeleteFile> deletes) {
        public Target {
            deletes = List.copyOf(deletes);
        }

        public static Target of(FileScanTask task) {
            return new Target(task.spec(), task.file().partition(), task.deletes());
        }
    }

    /** As {@link #write(TableMetadata, Map, Map)}, for files of a snapshot. */
    public Written write(TableMetadata table, List<FileScanTask> tasks, Map<String, long[]> positions) {
        Map<String, Target> targets = new HashMap<>();
        tasks.forEach(task -> targets.put(task.file().location(), Target.of(task)));
        return write(table, targets, positions);
    }

    /**
     * Writes the deletes; what was deleted before stays deleted.
     *
     * @param targets by location
     * @param positions by data file location, rising; each location is among {@code targets}
     */
    public Written write(TableMetadata table, Map<String, Target> targets, Map<String, long[]> positions) {
        try {
            return table.formatVersion() >= 3
                    ? vectors(table, targets, positions)
                    : positionFiles(table, targets, positions);
        } catch (IOException e) {
            throw new UncheckedIOException("the deletes of " + table.location() + " cannot be written", e);
        }
    }

    private Written vectors(TableMetadata table, Map<String, Target> targets, Map<String, long[]> positions)
            throws IOException {
        Function<String, PositionDeleteIndex> previous = location -> {
            List<DeleteFile> deletes = targets.get(location).deletes().stream()
                    .filter(delete -> delete.equalityFieldIds() == null)
                    .toList();
            return deletes.isEmpty()
                    ? null
                    : new BaseDeleteLoader(file -> io.newInputFile(file.location()))
                            .loadPositionDeletes(deletes, location);
        };
        var operations = new StaticTableOperations(
                table, io, LocationProviders.locationsFor(table.location(), table.properties()));
        OutputFileFactory names = OutputFileFactory.builderFor(new BaseTable(operations, "table"), 0, 0)
                .format(FileFormat.PUFFIN)
                .build();
        var writer = new BaseDVFileWriter(names, previous);
        try (writer) {
            positions.forEach((location, gone) -> {
                Target target = targets.get(location);
                for (long position : gone) {
                    writer.delete(location, position, target.spec(), target.partition());
                }
            });
        }
        DeleteWriteResult result = writer.result();
        return new Written(result.deleteFiles(), result.rewrittenDeleteFiles());
    }

    private record Partition(PartitionSpec spec, StructLikeWrapper values) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Partition p && p.spec.specId() == spec.specId() && p.values.equals(values);
        }

        @Override
        public int hashCode() {
            return Objects.hash(spec.specId(), values);
        }
    }

    private Written positionFiles(TableMetadata table, Map<String, Target> targets, Map<String, long[]> positions)
            throws IOException {
        Map<Partition, List<String>> files = new LinkedHashMap<>();
        positions.keySet().stream().sorted().forEach(location -> {
            Target target = targets.get(location);
            StructLike values = target.partition();
            var partition = new Partition(
                    target.spec(),
                    StructLikeWrapper.forType(target.spec().partitionType()).set(values));
            files.computeIfAbsent(partition, _ -> new ArrayList<>()).add(location);
        });
        var added = new ArrayList<DeleteFile>();
        ParquetLibrary.ready();
        for (Map.Entry<Partition, List<String>> entry : files.entrySet()) {
            PartitionSpec spec = entry.getKey().spec();
            PositionDeleteWriter<Void> writer = Parquet.writeDeletes(output(table, FileFormat.PARQUET))
                    .withSpec(spec)
                    .withPartition(
                            spec.isPartitioned() ? entry.getKey().values().get() : null)
                    .metricsConfig(MetricsConfig.forPositionDelete())
                    .overwrite()
                    .buildPositionWriter();
            try (writer) {
                PositionDelete<Void> delete = PositionDelete.create();
                for (String location : entry.getValue()) {
                    for (long position : positions.get(location)) {
                        writer.write(delete.set(location, position));
                    }
                }
            }
            added.add(writer.toDeleteFile());
        }
        return new Written(added, List.of());
    }

    private OutputFile output(TableMetadata table, FileFormat format) {
        return io.newOutputFile(table.location() + "/data/" + format.addExtension(UUID.randomUUID() + "-deletes"));
    }
}
