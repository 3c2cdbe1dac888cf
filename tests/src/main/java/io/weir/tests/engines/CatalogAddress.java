package io.weir.tests.engines;

import java.net.URI;
import java.util.Map;

/**
 * Where an engine finds its catalog and the files behind it.
 *
 * @param uri of an Iceberg REST catalog, without {@code /v1}
 * @param warehouse its name there; empty for a catalog that has only one
 * @param files how to reach the object store, by Iceberg's property names
 */
public record CatalogAddress(URI uri, String warehouse, Map<String, String> files) {
    public CatalogAddress {
        files = Map.copyOf(files);
    }
}
