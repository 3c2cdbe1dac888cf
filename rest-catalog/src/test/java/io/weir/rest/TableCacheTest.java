package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Iceberg's client with its cache of tables: it sees every commit at once, and is sent nothing where there is nothing new. */
class TableCacheTest extends OnServedLake {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier A = TableIdentifier.of("default", "a");
    private static final TableIdentifier B = TableIdentifier.of("default", "b");

    /** Writes without a cache, so that nothing the other one does tells the cache anything. */
    private RESTCatalog writer;

    private RESTCatalog cached;

    @BeforeEach
    void connect() {
        writer = served.catalog(Map.of("rest-table-cache.max-entries", "0"));
    }

    private void reader(String snapshots) {
        cached = served.catalog(Map.of("rest-table-cache.max-entries", "100", "snapshot-loading-mode", snapshots));
    }

    @AfterEach
    void disconnect() throws Exception {
        writer.close();
        cached.close();
    }

    private Table append(TableIdentifier name, int rows) {
        Table table = writer.loadTable(name);
        table.newFastAppend().appendFile(ServedLake.file(table, rows)).commit();
        return table;
    }

    /** What the reader finds, and how it was answered. */
    private void assertLoads(TableIdentifier name, Table like, int status) {
        served.forgetAnswers();
        Table loaded = cached.loadTable(name);
        assertThat(served.answersTo("GET", "/tables/" + name.name())).containsExactly(status);
        like.refresh();
        assertThat(loaded.uuid()).isEqualTo(like.uuid());
        assertThat(loaded.currentSnapshot()).isEqualTo(like.currentSnapshot());
        assertThat(loaded.properties()).isEqualTo(like.properties());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALL", "REFS"})
    void anUnchangedTableIsNotSentAgainAndEveryCommitIsSeenAtOnce(String snapshots) {
        reader(snapshots);
        Table table = writer.createTable(A, SCHEMA);
        assertLoads(A, table, 200);
        assertLoads(A, table, 304);
        for (int i = 1; i <= 3; i++) {
            assertLoads(A, append(A, i), 200);
            assertLoads(A, table, 304);
        }
        writer.loadTable(A).updateProperties().set("a", "b").commit();
        assertLoads(A, table, 200);
        assertLoads(A, table, 304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALL", "REFS"})
    void itsOwnCommitsAreSeenToo(String snapshots) {
        reader(snapshots);
        Table table = writer.createTable(A, SCHEMA);
        Table own = cached.loadTable(A);
        own.newFastAppend().appendFile(ServedLake.file(own, 3)).commit();
        assertLoads(A, table, 200);
        assertLoads(A, table, 304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALL", "REFS"})
    void aTableMadeAgainUnderTheNameIsTheNewOne(String snapshots) {
        reader(snapshots);
        Table first = writer.createTable(A, SCHEMA);
        assertLoads(A, first, 200);
        writer.dropTable(A);
        assertThatThrownBy(() -> cached.loadTable(A)).isInstanceOf(NoSuchTableException.class);
        Table second = writer.createTable(A, SCHEMA);
        assertThat(second.uuid()).isNotEqualTo(first.uuid());
        assertLoads(A, second, 200);
        assertLoads(A, second, 304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALL", "REFS"})
    void tablesThatChangeTheirNamesAreTheOnesThatHaveThemNow(String snapshots) {
        reader(snapshots);
        Table a = writer.createTable(A, SCHEMA);
        Table b = writer.createTable(B, SCHEMA);
        append(A, 1);
        append(B, 2);
        assertLoads(A, a, 200);
        assertLoads(B, b, 200);
        TableIdentifier between = TableIdentifier.of("default", "between");
        for (List<TableIdentifier> move : List.of(List.of(A, between), List.of(B, A), List.of(between, B))) {
            writer.renameTable(move.get(0), move.get(1));
        }
        assertLoads(A, writer.loadTable(A), 200);
        assertThat(cached.loadTable(A).uuid()).isEqualTo(b.uuid());
        assertThat(cached.loadTable(B).uuid()).isEqualTo(a.uuid());
        writer.renameTable(A, between);
        assertThatThrownBy(() -> cached.loadTable(A)).isInstanceOf(NoSuchTableException.class);
    }
}
