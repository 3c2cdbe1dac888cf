package io.weir.incremental.engine;

/** What is known of Parquet files seen before. */
final class FileFacts {}
