package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.ParquetLibrary;
import io.weir.incremental.RowIdentity;
import io.weir.incremental.SqlState;
import io.weir.incremental.WrittenFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.parquet.InternalWriter;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;

/**
 * Writes a view's groups to a Parquet file with Iceberg's own writer: for a few rows it takes less time than the engine
 * takes to plan that. A file that could not be written whole is taken away again.
 */
final class HeapFile {
    private final Schema schema;
    private final List<Function<HeapGroup, Object>> columns;

    /** @param schema the view's columns, its hidden state, and who a row is */
    HeapFile(ViewPlan plan, Schema schema) {
        this.schema = schema;
        this.columns =
                schema.columns().stream().map(field -> value(plan, field)).toList();
    }

    private static Function<HeapGroup, Object> value(ViewPlan plan, Types.NestedField field) {
        Function<HeapGroup, Object> held = switch (field.fieldId()) {
            case RowIdentity.ROW_ID -> HeapGroup::rowId;
            case RowIdentity.LAST_UPDATED_SEQUENCE -> HeapGroup::sequence;
            default -> RowIdentity.isHidden(field.fieldId()) ? state(field.name()) : shown(plan, field.name());
        };
        return group -> stored(field.type(), held.apply(group));
    }

    /** {@code _weir_n}, {@code _weir_k0} or {@code _weir_m0}. */
    private static Function<HeapGroup, Object> state(String name) {
        String what = name.substring(StateLayout.PREFIX.length());
        if (what.equals("n")) {
            return HeapGroup::rows;
        }
        int index = Integer.parseInt(what.substring(1));
        return what.startsWith("k") ? group -> group.key().get(index) : group -> group.measures()[index];
    }

    private static Function<HeapGroup, Object> shown(ViewPlan plan, String name) {
        for (int i = 0; i < plan.columns().size(); i++) {
            if (plan.columns().get(i).name().equals(name)) {
                int column = i;
                return group -> group.shown()[column];
            }
        }
        throw new IllegalStateException("the view does not compute its column " + name);
    }

    /** A value as Iceberg's internal representation of the type. */
    private static Object stored(org.apache.iceberg.types.Type type, Object value) {
        if (value == null) {
            return null;
        }
        return switch (type.typeId()) {
            case INTEGER, DATE -> Math.toIntExact((Long) value);
            case DECIMAL -> {
                BigDecimal decimal = value instanceof BigDecimal number ? number : BigDecimal.valueOf((Long) value);
                yield decimal.setScale(((Types.DecimalType) type).scale());
            }
            default -> value;
        };
    }

    WrittenFile write(List<HeapGroup> groups, Path target) {
        ParquetLibrary.ready();
        try {
            Files.createDirectories(target.toAbsolutePath().getParent());
            FileAppender<StructLike> appender = Parquet.write(org.apache.iceberg.Files.localOutput(target.toFile()))
                    .schema(schema)
                    .set("write.parquet.compression-codec", "snappy")
                    .metricsConfig(MetricsConfig.getDefault())
                    .createWriterFunc(InternalWriter::createWriter)
                    .build();
            Row row = new Row();
            try (appender) {
                for (HeapGroup group : groups) {
                    appender.add(row.of(group));
                }
            }
            return new WrittenFile(target, groups.size(), appender.length(), visible(appender.metrics()));
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

    /** A group as a row of the file. One is enough: the writer takes the values out of it at once. */
    private final class Row implements StructLike {
        private HeapGroup group;

        Row of(HeapGroup next) {
            group = next;
            return this;
        }

        @Override
        public int size() {
            return columns.size();
        }

        @Override
        public <T> T get(int position, Class<T> type) {
            return type.cast(columns.get(position).apply(group));
        }

        @Override
        public <T> void set(int position, T value) {
            throw new UnsupportedOperationException("a row of a file that is being written is not changed");
        }
    }
}
