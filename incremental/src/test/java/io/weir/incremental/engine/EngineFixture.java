package io.weir.incremental.engine;

import io.weir.incremental.FileRows;
import io.weir.incremental.TableRows;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine over a folder, and a session of it. */
abstract class EngineFixture {
    @TempDir
    Path folder;

    Engine engine;
    EngineSession session;

    @BeforeEach
    void open() {
        engine = Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
        session = engine.session();
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    static FileRows plain(Path file) {
        return FileRows.of(file.toString(), file, 0, OptionalLong.of(0), 1);
    }

    /** All rows of the files, the identity columns left out. */
    List<List<Object>> read(Schema schema, FileRows... files) {
        return all("FROM "
                + session.rows(new TableRows(schema, List.of(files)), false).as("t") + " ORDER BY ALL");
    }

    List<List<Object>> all(String sql) {
        try (Rows rows = session.query(sql)) {
            return rows.all();
        }
    }
}
