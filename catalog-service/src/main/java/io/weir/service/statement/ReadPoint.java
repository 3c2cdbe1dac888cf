package io.weir.service.statement;

import io.weir.coordinator.CatalogState;
import io.weir.coordinator.Lake;
import io.weir.coordinator.Preview;
import io.weir.coordinator.TableEntry;
import java.util.function.Function;
import org.apache.iceberg.TableMetadata;

/** What a statement reads: a state of the lake, and the metadata of the tables in it. */
record ReadPoint(CatalogState state, Function<TableEntry, TableMetadata> metadata) {

    static ReadPoint of(Lake lake, CatalogState state) {
        return new ReadPoint(state, lake::metadata);
    }

    /** Inside a transaction: as its earlier statements leave the lake. */
    static ReadPoint of(Lake lake, Preview preview) {
        return new ReadPoint(
                preview.state(), table -> preview.metadata(table.name()).orElseGet(() -> lake.metadata(table)));
    }

    TableMetadata metadata(TableEntry table) {
        return metadata.apply(table);
    }

    Names names() {
        return new Names(state);
    }
}
