package io.weir.coordinator;

import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A state that is not committed: what a transaction's later statements read. Older rows of the keys it wrote are still
 * there beside the new ones, and views have not moved: both happen in the commit.
 */
public interface Preview {
    CatalogState state();

    /** The table's metadata as the transaction has left it. */
    Optional<TableMetadata> metadata(TableIdentifier name);

    /** Finds nothing and moves nothing. */
    static Derivation.Session engine() {
        return new Derivation.Session() {
            @Override
            public Derivation.Step advance(TableEntry view) {
                throw new IllegalStateException("a preview does not move " + view.name());
            }

            @Override
            public Derivation.Superseded supersede(TableEntry table, TableMetadata current, List<DataFile> added) {
                return Derivation.Superseded.NOTHING;
            }

            @Override
            public void accept() {}

            @Override
            public void close() {}
        };
    }
}
