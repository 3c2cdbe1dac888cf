package io.weir.coordinator;

import io.weir.coordinator.StagedFiles.StagedInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * Reads each file in one go. Iceberg's reader of a manifest list asks for its length first and then for parts of it,
 * and at a distance each question costs a commit a round trip.
 *
 * <p>For what commits bring, which is small. A file of more than {@link #HELD_BYTES} is read in parts after all.
 */
final class WholeFiles implements FileIO {
    private static final long serialVersionUID = 1L;
    private static final int HELD_BYTES = 8 << 20;

    private final transient FileIO files;

    WholeFiles(FileIO files) {
        this.files = files;
    }

    @Override
    public InputFile newInputFile(String location) {
        return whole(files.newInputFile(location));
    }

    @Override
    public InputFile newInputFile(String location, long length) {
        return length > HELD_BYTES ? files.newInputFile(location, length) : whole(files.newInputFile(location, length));
    }

    /** Read now: whoever asks for it reads it next. */
    private static InputFile whole(InputFile file) {
        if (file instanceof StagedInput) {
            return file;
        }
        try (SeekableInputStream in = file.newStream()) {
            byte[] bytes = in.readNBytes(HELD_BYTES + 1);
            return bytes.length > HELD_BYTES ? file : new StagedInput(file.location(), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("can not read " + file.location(), e);
        }
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return files.newOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
        files.deleteFile(location);
    }

    @Override
    public Map<String, String> properties() {
        return files.properties();
    }

    @Override
    public void close() {
        files.close();
    }
}
