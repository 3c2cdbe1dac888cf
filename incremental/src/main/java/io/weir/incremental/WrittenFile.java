package io.weir.incremental;

import java.nio.file.Path;
import org.apache.iceberg.Metrics;

/** A Parquet file the engine has written and closed. The metrics hold nothing of hidden columns. */
public record WrittenFile(Path local, long recordCount, long sizeBytes, Metrics metrics) {}
