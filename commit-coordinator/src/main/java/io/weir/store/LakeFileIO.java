package io.weir.store;

import java.net.URI;
import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.io.FileIO;

/**
 * Iceberg's {@link FileIO} for the files of a lake: local ones flushed to the device when closed, or S3 through
 * Iceberg's own S3FileIO over the same client settings as the lake's store. No Hadoop.
 *
 * <p>Files made through it have names nobody else uses; use {@code createOrOverwrite()}, which spares S3 a request that
 * looks for the file first. Neither kind makes names safe against a second writer: that is {@link ObjectStore}'s part.
 */
public final class LakeFileIO {
    private LakeFileIO() {}

    public static FileIO open(URI root, S3Config s3) {
        String scheme = root.getScheme() == null ? "file" : root.getScheme();
        return switch (scheme) {
            case "file" -> new LocalFileIO();
            case "s3", "s3a" -> s3(s3);
            default ->
                throw StoreException.setting(
                        "no files for '" + root + "': the scheme " + scheme + " is not known",
                        "write file:///folder or s3://bucket/prefix");
        };
    }

    private static FileIO s3(S3Config config) {
        S3FileIO io = new S3FileIO(() -> S3Clients.open(config).retrying());
        Map<String, String> properties = config.toProperties();
        properties.remove("s3.access-key-id");
        properties.remove("s3.secret-access-key");
        properties.remove("s3.session-token");
        io.initialize(properties);
        return io;
    }
}
