package io.weir.incremental.view;

/**
 * A compiled expectation.
 *
 * @param condition as it was written, for people
 * @param sql over the view's columns as {@code c0, c1, …}; a row breaks it when this is false, not when it is NULL
 */
public record Expectation(String name, String condition, OnViolation onViolation, String sql) {}
