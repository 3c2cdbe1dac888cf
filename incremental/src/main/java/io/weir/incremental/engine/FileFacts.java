package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.FileRows;
import io.weir.incremental.SqlState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shapes of files seen before, by location: data files never change. Bounded; the oldest go first. */
final class FileFacts {
    private static final int MAX_FILES = 50_000;

    private final Map<ParquetShape, ParquetShape> shapes = new LinkedHashMap<>();
    private final Map<String, ParquetShape> byLocation = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ParquetShape> eldest) {
            return size() > MAX_FILES;
        }
    };

    ParquetShape shape(FileRows file) {
        synchronized (this) {
            ParquetShape known = byLocation.get(file.location());
            if (known != null) {
                return known;
            }
        }
        List<ParquetField> columns = ParquetFooter.columns(file.local(), file.location());
        if (!columns.isEmpty() && columns.stream().allMatch(column -> column.id() == ParquetField.NO_ID)) {
            throw new EngineException(
                    SqlState.FEATURE_NOT_SUPPORTED,
                    "the file " + file.location() + " has no Iceberg field ids, so its columns cannot be told apart",
                    "write its rows through Iceberg, for example INSERT … SELECT, instead of adding the file as it is");
        }
        ParquetShape shape = new ParquetShape(columns);
        synchronized (this) {
            if (shapes.size() > MAX_FILES) {
                shapes.clear();
            }
            ParquetShape one = shapes.computeIfAbsent(shape, same -> same);
            byLocation.put(file.location(), one);
            return one;
        }
    }
}
