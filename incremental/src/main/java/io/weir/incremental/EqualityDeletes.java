package io.weir.incremental;

import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Schema;

/**
 * An equality delete file: a row is gone when its values of {@code fieldIds} equal those of a row of the file, NULL
 * equal to NULL. {@code schema} tells the types of those fields, which the table may no longer have.
 */
public record EqualityDeletes(Path local, List<Integer> fieldIds, Schema schema) {
    public EqualityDeletes {
        fieldIds = List.copyOf(fieldIds);
    }
}
