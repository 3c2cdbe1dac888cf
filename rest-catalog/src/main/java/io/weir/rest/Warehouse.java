package io.weir.rest;

import io.weir.coordinator.CatalogState;
import io.weir.coordinator.Lake;

/**
 * A lake as one request sees it: at one version throughout.
 *
 * @param prefix the name under which it was asked for, {@code NAME} or {@code NAME@VERSION}
 * @param frozen whether the version was asked for, so that nothing may be written
 */
record Warehouse(String prefix, Lake lake, CatalogState state, boolean frozen) {}
