package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import java.util.function.Supplier;

/** A source of a stage: its change, and all its rows after the change, asked for only when they are needed. */
public record SourceInput(Change change, Supplier<TableRows> after) {}
