package io.weir.incremental.view;

/** How many rows that arrived with this change break an expectation. */
public record ExpectationCount(String expectation, long failedRows) {}
