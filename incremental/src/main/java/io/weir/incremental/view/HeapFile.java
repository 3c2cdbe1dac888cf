package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.ParquetLibrary;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.SqlState;
import io.weir.incremental.WrittenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Schema;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.parquet.ParquetUtil;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;

/**
 * Writes rows on the heap to a Parquet file: for a few it takes less time than the engine takes to plan that. Flat columns
 * only. A file that could not be written whole is taken away again.
 *
 * <p>It uses Parquet's own writer: Iceberg's begins each file with reading Hadoop's settings, which takes longer than
 * all the rest. Files this small are not compressed.
 */
final class HeapFile<R> {
    private final Schema schema;
    private final List<Function<R, Object>> columns;

    /** @param columns where the values of the schema's columns are found in a row, as a {@link HeapType} holds them */
    HeapFile(Schema schema, List<Function<R, Object>> columns) {
        this.schema = schema;
        this.columns = List.copyOf(columns);
    }

    WrittenFile write(List<R> rows, Path target) {
        ParquetLibrary.ready();
        try {
            Files.createDirectories(target.toAbsolutePath().getParent());
            ParquetWriter<R> writer = new Builder(new LocalOutputFile(target)).build();
            try (writer) {
                for (R row : rows) {
                    writer.write(row);
                }
            }
            Metrics metrics = ParquetUtil.footerMetrics(writer.getFooter(), Stream.empty(), MetricsConfig.getDefault());
            return new WrittenFile(target, rows.size(), Files.size(target), visible(metrics));
        } catch (IOException | RuntimeException e) {
            EngineException failure = new EngineException(
                    SqlState.IO_ERROR, "a view's file " + target + " could not be written: " + e.getMessage(), "", e);
            try {
                Files.deleteIfExists(target);
            } catch (IOException undeleted) {
                failure.addSuppressed(undeleted);
            }
            throw failure;
        }
    }

    private final class Builder extends ParquetWriter.Builder<R, Builder> {
        Builder(OutputFile file) {
            super(file);
            withConf(new Configuration(false));
            withCompressionCodec(CompressionCodecName.UNCOMPRESSED);
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract all the same
        protected WriteSupport<R> getWriteSupport(Configuration settings) {
            return new HeapWriteSupport<>(ParquetSchemaUtil.convert(schema, "table"), columns);
        }
    }

    /** Hidden columns are in no metrics. */
    private static Metrics visible(Metrics all) {
        return new Metrics(
                all.recordCount(),
                visible(all.columnSizes()),
                visible(all.valueCounts()),
                visible(all.nullValueCounts()),
                visible(all.nanValueCounts()),
                visible(all.lowerBounds()),
                visible(all.upperBounds()));
    }

    private static <T> Map<Integer, T> visible(Map<Integer, T> all) {
        Map<Integer, T> visible = new HashMap<>();
        if (all != null) {
            all.forEach((id, value) -> {
                if (!RowIdentity.isHidden(id)) {
                    visible.put(id, value);
                }
            });
        }
        return visible;
    }
}
