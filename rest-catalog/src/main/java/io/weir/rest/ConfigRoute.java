package io.weir.rest;

import java.util.List;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalogProperties;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.responses.ConfigResponse;

/** {@code /v1/config}: where a warehouse is found, what its files need, and which endpoints work. */
record ConfigRoute(RestOptions options, List<Endpoint> endpoints, List<Endpoint> readEndpoints) {

    Answer answer(Call call) {
        Warehouse warehouse = call.warehouse();
        TableDefaults tables = options.tableDefaults().apply(call.lake());
        return Answer.ok(ConfigResponse.builder()
                .withDefaults(Properties.forResponse(options.clientConfig().apply(call.lake())))
                .withDefaults(tables.toldAsDefaults())
                .withOverrides(tables.toldAsOverrides())
                .withOverride("prefix", RESTUtil.encodePathSegment(warehouse.prefix()))
                .withOverride(
                        RESTCatalogProperties.NAMESPACE_SEPARATOR,
                        options.namespaceSeparator().encoded())
                .withIdempotencyKeyLifetime(options.idempotencyKeyLifetime().toString())
                .withEndpoints((warehouse.frozen() ? readEndpoints : endpoints)
                        .stream()
                                .filter(endpoint -> !endpoint.equals(Endpoint.V1_TABLE_CREDENTIALS)
                                        || options.credentials()
                                                .apply(call.lake())
                                                .isPresent())
                                .toList())
                .build());
    }
}
