package io.weir.service.statement;

import io.weir.coordinator.Lake;
import io.weir.coordinator.TableEntry;
import io.weir.service.sql.SqlException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;

/**
 * Files that the lake names and that are not on the store: somebody else deleted them. Engines do that. Spark's
 * {@code DROP TABLE … PURGE} deletes a table's files itself, unless its catalog has {@code rest-catalog-purge = true}, and
 * an engine's {@code expire_snapshots} those of the past.
 */
public final class MissingFiles {
    /** undefined_file */
    public static final String CODE = "58P01";

    private MissingFiles() {}

    /** What a reader is told who met one. */
    public static SqlException met(NotFoundException e) {
        return new SqlException(
                CODE,
                "a file that the lake names is not on the store: " + e.getMessage(),
                "Somebody else deleted it. The past can be read while nobody expires its snapshots; a table whose current"
                        + " files are gone can only be dropped.",
                e);
    }

    /**
     * A table whose files are gone would come back as one that nobody can read. Its data files are not looked at: who
     * deletes a table deletes what leads to them too.
     */
    static void refuseUndrop(Lake lake, TableEntry table) {
        FileIO io = lake.io();
        require(io, table, table.metadataLocation());
        for (String file : leadingToRows(io, table, lake.metadata(table))) {
            require(io, table, file);
        }
    }

    private static List<String> leadingToRows(FileIO io, TableEntry table, TableMetadata metadata) {
        List<String> files = new ArrayList<>();
        if (metadata.currentSnapshot() != null) {
            require(io, table, metadata.currentSnapshot().manifestListLocation());
            for (ManifestFile manifest : metadata.currentSnapshot().allManifests(io)) {
                files.add(manifest.path());
            }
        }
        return files;
    }

    private static void require(FileIO io, TableEntry table, String file) {
        if (!io.newInputFile(file).exists()) {
            throw new SqlException(
                    CODE,
                    "table " + table.name() + " can not be brought back: its file " + file + " is not on the store",
                    "Somebody deleted its files, as Spark's DROP TABLE … PURGE does by itself unless its catalog has"
                            + " rest-catalog-purge = true.");
        }
    }
}
