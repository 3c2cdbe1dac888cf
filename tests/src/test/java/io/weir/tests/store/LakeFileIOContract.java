package io.weir.tests.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Iceberg relies on in the files of a lake, local or on S3. */
abstract class LakeFileIOContract {
    private FileIO io;
    private String root;

    abstract FileIO open();

    /** A location below which there is nothing yet, without a slash at its end. */
    abstract String newRoot();

    @BeforeEach
    void openFiles() {
        io = open();
        root = newRoot();
    }

    @AfterEach
    void closeFiles() {
        if (io != null) {
            io.close();
        }
    }

    private void write(String location, byte[] bytes) throws IOException {
        try (OutputStream out = io.newOutputFile(location).createOrOverwrite()) {
            out.write(bytes);
        }
    }

    private byte[] read(String location) throws IOException {
        InputFile file = io.newInputFile(location);
        byte[] bytes = new byte[(int) file.getLength()];
        try (SeekableInputStream in = file.newStream()) {
            IOUtil.readFully(in, bytes, 0, bytes.length);
        }
        return bytes;
    }

    @Test
    void aClosedFileIsReadWhole() throws IOException {
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        String location = root + "/data/p=a b/ü.parquet";
        write(location, bytes);
        assertThat(read(location)).isEqualTo(bytes);
        assertThat(io.newInputFile(location).location()).isEqualTo(location);
        assertThat(io.newInputFile(location).exists()).isTrue();
    }

    @Test
    void aReaderMaySeekAndReadRangesAndTheTail() throws IOException {
        byte[] bytes = new byte[200_000];
        new Random(2).nextBytes(bytes);
        String location = root + "/f";
        write(location, bytes);
        try (SeekableInputStream in = io.newInputFile(location).newStream()) {
            for (int position : new int[] {199_999, 0, 70_000, 70_001, 65_536}) {
                in.seek(position);
                assertThat(in.getPos()).isEqualTo(position);
                assertThat(in.read()).isEqualTo(bytes[position] & 0xff);
            }
            in.seek(bytes.length);
            assertThat(in.read()).isEqualTo(-1);
            byte[] range = new byte[100];
            ((RangeReadable) in).readFully(1000, range);
            assertThat(range).containsExactly(java.util.Arrays.copyOfRange(bytes, 1000, 1100));
            assertThat(((RangeReadable) in).readTail(range)).isEqualTo(100);
            assertThat(range).containsExactly(java.util.Arrays.copyOfRange(bytes, 199_900, 200_000));
            in.seek(10);
            assertThat(in.skip(5)).isEqualTo(5);
            assertThat(in.read()).isEqualTo(bytes[15] & 0xff);
        }
    }

    @Test
    void createRefusesAFileThatIsThereAndCreateOrOverwriteReplacesIt() throws IOException {
        String location = root + "/f";
        write(location, "one".getBytes(UTF_8));
        assertThatThrownBy(() -> io.newOutputFile(location).create()).isInstanceOf(AlreadyExistsException.class);
        write(location, "2".getBytes(UTF_8));
        assertThat(read(location)).isEqualTo("2".getBytes(UTF_8));
    }

    @Test
    void aFileThatIsNotThereIsNotFound() {
        InputFile file = io.newInputFile(root + "/none");
        assertThat(file.exists()).isFalse();
        assertThatThrownBy(() -> file.newStream().read()).isInstanceOf(NotFoundException.class);
    }

    @Test
    void aPrefixIsListedAndDeleted() throws IOException {
        write(root + "/t/data/1", new byte[3]);
        write(root + "/t/metadata/2", new byte[4]);
        write(root + "/other", new byte[5]);
        SupportsPrefixOperations prefixes = (SupportsPrefixOperations) io;
        assertThat(prefixes.listPrefix(root + "/t/"))
                .extracting(FileInfo::location)
                .containsExactlyInAnyOrder(root + "/t/data/1", root + "/t/metadata/2");
        io.deleteFile(root + "/t/data/1");
        assertThat(prefixes.listPrefix(root + "/t/")).extracting(FileInfo::size).containsExactly(4L);
        prefixes.deletePrefix(root + "/t/");
        assertThat(prefixes.listPrefix(root + "/t/")).isEmpty();
        assertThat(io.newInputFile(root + "/other").exists()).isTrue();
    }
}
