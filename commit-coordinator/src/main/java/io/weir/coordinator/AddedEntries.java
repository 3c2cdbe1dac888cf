package io.weir.coordinator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.WeirSnapshots;
import org.apache.iceberg.io.FileIO;

/** A client's merged manifest, written again with only the files its snapshot added. */
final class AddedEntries {
    private AddedEntries() {}

    static ManifestFile only(TableMetadata metadata, ManifestFile merged, long snapshotId, FileIO io) {
        String path = metadata.location() + "/metadata/" + UUID.randomUUID() + "-added.avro";
        ManifestWriter<DataFile> writer = ManifestFiles.write(
                metadata.formatVersion(),
                metadata.specsById().get(merged.partitionSpecId()),
                io.newOutputFile(path),
                snapshotId);
        try (writer) {
            WeirSnapshots.dataFiles(merged, io, metadata.specsById(), snapshotId, writer::add, _ -> {});
        } catch (IOException e) {
            throw new UncheckedIOException("can not rewrite manifest " + merged.path(), e);
        }
        return WeirSnapshots.unassigned(writer.toManifestFile());
    }
}
