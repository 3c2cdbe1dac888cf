package io.weir.service.demo;

import io.weir.store.LakeFileIO;
import io.weir.store.S3Config;
import java.net.URI;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** The outside writer's way to local files: Iceberg makes it by its class name and would else need Hadoop. */
public final class LocalFiles implements FileIO {
    private static final long serialVersionUID = 1L;

    private final transient FileIO files = LakeFileIO.open(URI.create("file:///"), S3Config.defaults());

    @Override
    public InputFile newInputFile(String path) {
        return files.newInputFile(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return files.newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
        files.deleteFile(path);
    }

    @Override
    public void initialize(Map<String, String> properties) {
        // Local files need no properties.
    }

    @Override
    public void close() {
        files.close();
    }
}
