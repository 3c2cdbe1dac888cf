package io.weir.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.coordinator.UpdateFields;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.requests.CreateTableRequest;

/** The metadata of a table that is to be made. */
final class NewTable {
    static final int NEWEST_FORMAT_VERSION = 3;

    private NewTable() {}

    /** @param newLocation where it lies unless the request says */
    static TableMetadata metadata(
            CreateTableRequest request, String newLocation, int defaultFormatVersion, TableDefaults defaults) {
        Map<String, String> properties = defaults.applied(Properties.require(request.properties()));
        properties.putIfAbsent(TableProperties.FORMAT_VERSION, Integer.toString(defaultFormatVersion));
        requireSupported(formatVersion(properties.get(TableProperties.FORMAT_VERSION)));
        try {
            PartitionSpec spec = request.spec();
            SortOrder order = request.writeOrder();
            return TableMetadata.newTableMetadata(
                    request.schema(),
                    spec == null ? PartitionSpec.unpartitioned() : spec,
                    order == null ? SortOrder.unsorted() : order,
                    request.location() == null ? newLocation : RESTUtil.stripTrailingSlash(request.location()),
                    properties);
        } catch (RuntimeException e) {
            throw HttpProblem.badRequest("Table %s can not be made: %s", request.name(), e.getMessage());
        }
    }

    /** The schema, the partition spec and the sort order of a new table or view get their ids here. */
    static void requireKnownFields(JsonNode request) {
        try {
            UpdateFields.requireNoneInNew(request);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("%s", e.getMessage());
        }
    }

    private static int formatVersion(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest("Table property format-version must be a number, not \"%s\"", text);
        }
    }

    static void requireSupported(int formatVersion) {
        if (formatVersion < 1 || formatVersion > NEWEST_FORMAT_VERSION) {
            throw HttpProblem.badRequest(
                    "Format version %s is not supported: this catalog has versions 1 to %s",
                    formatVersion, NEWEST_FORMAT_VERSION);
        }
    }
}
