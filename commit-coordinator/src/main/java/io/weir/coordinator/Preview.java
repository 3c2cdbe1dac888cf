package io.weir.coordinator;

import java.util.Optional;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;

/** A state that is not committed: what a transaction's later statements read. */
public interface Preview {
    CatalogState state();

    /** The table's metadata as the transaction has left it. */
    Optional<TableMetadata> metadata(TableIdentifier name);
}
