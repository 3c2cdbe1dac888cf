package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.requests.CommitTransactionRequest;
import org.apache.iceberg.rest.requests.CommitTransactionRequestParser;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** Iceberg's own client against a lake in a folder, as an engine would use it. */
class IcebergClientTest extends OnServedLake {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final TableIdentifier OTHERS = TableIdentifier.of("default", "others");

    @Test
    void anAppendIsVisibleToTheNextReader() throws Exception {
        Table table = catalog.createTable(READINGS, SCHEMA);
        append(table, 10);
        try (RESTCatalog reader = served.catalog()) {
            assertThat(reader.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "10");
        }
        assertThat(served.lake().state().commits().getLast().engine()).startsWith("Apache Iceberg");
    }

    @Test
    void appendsOfManyWritersToOneTableAllLand() throws Exception {
        catalog.createTable(READINGS, SCHEMA);
        inParallel(8, writer -> {
            try (RESTCatalog own = served.catalog()) {
                Table table = own.loadTable(READINGS);
                for (int i = 0; i < 3; i++) {
                    append(table, 1);
                }
            }
        });
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "24");
    }

    @Test
    void ofManyThatCreateOneTableOneSucceedsAndTheOthersHearThatItExists() throws Exception {
        List<Future<?>> creates = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                creates.add(threads.submit(() -> catalog.createTable(READINGS, SCHEMA)));
            }
        }
        assertThat(creates.stream().filter(c -> c.state() == Future.State.SUCCESS))
                .hasSize(1);
        assertThat(creates.stream()
                        .filter(c -> c.state() == Future.State.FAILED)
                        .map(Future::exceptionNow))
                .hasSize(19)
                .allSatisfy(e -> assertThat(e).isInstanceOf(AlreadyExistsException.class));
    }

    @Test
    void aTransactionOverTwoTablesIsOneVersion() {
        Table readings = catalog.createTable(READINGS, SCHEMA);
        Table others = catalog.createTable(OTHERS, SCHEMA);
        long before = served.version();
        catalog.commitTransaction(appended(READINGS, readings, 2), appended(OTHERS, others, 3));
        assertThat(served.version()).isEqualTo(before + 1);
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "2");
        assertThat(catalog.loadTable(OTHERS).currentSnapshot().summary()).containsEntry("total-records", "3");
    }

    @Test
    void aTransactionWhoseLastTableConflictsLeavesTheFirstAsItWas() {
        Table readings = catalog.createTable(READINGS, SCHEMA);
        Table others = catalog.createTable(OTHERS, SCHEMA);
        TableCommit append = appended(READINGS, readings, 2);
        TableCommit staleColumn = columnAdded(OTHERS, others, "mine");
        others.updateSchema().addColumn("theirs", Types.LongType.get()).commit();
        var before = served.lake().state().tablesById();
        assertThatThrownBy(() -> catalog.commitTransaction(append, staleColumn))
                .isInstanceOf(CommitFailedException.class);
        assertThat(served.lake().state().tablesById()).isEqualTo(before);
        assertThat(catalog.loadTable(READINGS).currentSnapshot()).isNull();
    }

    @Test
    void aRetryOfACommitWhoseAnswerWasLostIsAnsweredAsTheFirst() {
        Table readings = catalog.createTable(READINGS, SCHEMA);
        Table others = catalog.createTable(OTHERS, SCHEMA);
        TableCommit first = appended(READINGS, readings, 2);
        String one = UpdateTableRequestParser.toJson(
                UpdateTableRequest.create(READINGS, first.requirements(), first.updates()));
        String path = "/v1/lake/namespaces/default/tables/readings";
        assertThat(served.post(path, one).statusCode()).isEqualTo(200);
        append(catalog.loadTable(READINGS), 3);
        long before = served.version();
        HttpResponse<String> again = served.post(path, one);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(served.version()).isEqualTo(before);

        Table moved = catalog.loadTable(READINGS);
        TableCommit left = appended(READINGS, moved, 5);
        TableCommit right = appended(OTHERS, others, 7);
        String both = CommitTransactionRequestParser.toJson(new CommitTransactionRequest(List.of(
                UpdateTableRequest.create(READINGS, left.requirements(), left.updates()),
                UpdateTableRequest.create(OTHERS, right.requirements(), right.updates()))));
        for (int i = 0; i < 2; i++) {
            assertThat(served.post("/v1/lake/transactions/commit", both).statusCode())
                    .isEqualTo(204);
        }
        assertThat(served.version()).isEqualTo(before + 1);
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "10");
        assertThat(catalog.loadTable(OTHERS).currentSnapshot().summary()).containsEntry("total-records", "7");
    }

    @Test
    void aStagedTableIsNotThereUntilItsTransactionIsCommitted() {
        Transaction create = catalog.buildTable(READINGS, SCHEMA).createTransaction();
        create.newAppend().appendFile(ServedLake.file(create.table(), 7)).commit();
        assertThat(catalog.tableExists(READINGS)).isFalse();
        create.commitTransaction();
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "7");
    }

    @Test
    void aStaleChangeThatIsNotAnAppendConflicts() {
        Table table = catalog.createTable(READINGS, SCHEMA);
        DataFile file = ServedLake.file(table, 5);
        table.newAppend().appendFile(file).commit();
        Transaction delete = table.newTransaction();
        delete.newDelete().deleteFile(file).commit();
        append(catalog.loadTable(READINGS), 1);
        assertThatThrownBy(() -> catalog.commitTransaction(commit(READINGS, delete)))
                .isInstanceOf(CommitFailedException.class);
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "6");
    }

    @Test
    void aRenamedTableKeepsItsRowsAndADroppedOneIsGone() {
        catalog.createNamespace(Namespace.of("archive"));
        append(catalog.createTable(READINGS, SCHEMA), 4);
        TableIdentifier moved = TableIdentifier.of("archive", "moved");
        catalog.renameTable(READINGS, moved);
        assertThat(catalog.tableExists(READINGS)).isFalse();
        assertThat(catalog.loadTable(moved).currentSnapshot().summary()).containsEntry("total-records", "4");
        assertThatThrownBy(() -> catalog.dropNamespace(moved.namespace()))
                .isInstanceOf(NamespaceNotEmptyException.class);
        assertThat(catalog.dropTable(moved, true)).isTrue();
        assertThat(catalog.dropTable(moved, true)).isFalse();
        assertThatThrownBy(() -> catalog.loadTable(moved)).isInstanceOf(NoSuchTableException.class);
        assertThat(catalog.dropNamespace(moved.namespace())).isTrue();
    }

    @Test
    void aRegisteredTableHasTheRowsOfItsMetadataFile() {
        append(catalog.createTable(READINGS, SCHEMA), 4);
        Table table = catalog.loadTable(READINGS);
        String metadata = ((BaseTable) table).operations().current().metadataFileLocation();
        assertThatThrownBy(() -> catalog.registerTable(OTHERS, metadata)).isInstanceOf(BadRequestException.class);
        assertThatThrownBy(() -> catalog.registerTable(READINGS, metadata)).isInstanceOf(AlreadyExistsException.class);
    }

    @Test
    void namesMayHoldAnything() {
        for (String name : List.of(
                "a b", "a.b", "a/b", "a+b", "a%b", "a%2Fb", "ü€😀", "..", "a;b", "a?b#c", "a\\b", "\"q'", "a&b=c", "A",
                "a")) {
            Namespace namespace = Namespace.of(name, "in." + name);
            catalog.createNamespace(Namespace.of(name));
            catalog.createNamespace(namespace, new HashMap<>(Map.of("k", name)));
            TableIdentifier table = TableIdentifier.of(namespace, name);
            append(catalog.createTable(table, SCHEMA), 1);
            assertThat(catalog.loadNamespaceMetadata(namespace)).containsEntry("k", name);
            assertThat(catalog.listNamespaces(Namespace.of(name))).containsExactly(namespace);
            assertThat(catalog.listTables(namespace)).containsExactly(table);
            assertThat(catalog.loadTable(table).location())
                    .startsWith(served.lake().root() + "/");
            assertThat(catalog.tableExists(table)).isTrue();
        }
    }

    @Test
    void aNamespaceThatHoldsOthersIsNotDropped() {
        Namespace outer = Namespace.of("outer");
        Namespace inner = Namespace.of("outer", "inner");
        catalog.createNamespace(outer);
        catalog.createNamespace(inner);
        assertThat(catalog.listNamespaces()).containsExactly(Namespace.of("default"), outer);
        assertThat(catalog.listNamespaces(outer)).containsExactly(inner);
        assertThatThrownBy(() -> catalog.dropNamespace(outer)).isInstanceOf(NamespaceNotEmptyException.class);
        assertThat(catalog.dropNamespace(inner)).isTrue();
        assertThat(catalog.dropNamespace(outer)).isTrue();
        assertThat(catalog.dropNamespace(outer)).isFalse();
    }

    @Test
    void aListingInPagesIsWhole() throws Exception {
        for (int i = 0; i < 7; i++) {
            catalog.createTable(TableIdentifier.of("default", "t" + i), SCHEMA);
            catalog.createNamespace(Namespace.of("n" + i));
        }
        try (RESTCatalog paging = served.catalog(Map.of("rest-page-size", "2"))) {
            assertThat(paging.listTables(Namespace.of("default"))).hasSize(7);
            assertThat(paging.listNamespaces()).hasSize(8);
        }
    }

    @Test
    void aFrozenWarehouseShowsTheLakeAsItWasAndTakesNoWrites() throws Exception {
        Table table = catalog.createTable(READINGS, SCHEMA);
        append(table, 1);
        long then = served.version();
        append(table, 1);
        catalog.createTable(OTHERS, SCHEMA);
        try (RESTCatalog frozen = served.catalog(Map.of("warehouse", ServedLake.NAME + "@" + then))) {
            Table past = frozen.loadTable(READINGS);
            assertThat(past.currentSnapshot().summary()).containsEntry("total-records", "1");
            assertThat(frozen.listTables(READINGS.namespace())).containsExactly(READINGS);
            assertThatThrownBy(() -> append(past, 1))
                    .isInstanceOfAny(ForbiddenException.class, UnsupportedOperationException.class);
        }
    }

    @Test
    void theDefaultFormatVersionIsTwoAndFourIsRefused() {
        assertThat(metadata(catalog.createTable(READINGS, SCHEMA)).formatVersion())
                .isEqualTo(2);
        assertThat(metadata(catalog.buildTable(OTHERS, SCHEMA)
                                .withProperty("format-version", "3")
                                .create())
                        .formatVersion())
                .isEqualTo(3);
        assertThatThrownBy(() -> catalog.buildTable(TableIdentifier.of("default", "four"), SCHEMA)
                        .withProperty("format-version", "4")
                        .create())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("Format version 4 is not supported");
    }

    private interface Work {
        void run(int worker) throws Exception;
    }

    private static void inParallel(int workers, Work work) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < workers; i++) {
                int worker = i;
                all.add(threads.submit(() -> {
                    work.run(worker);
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private static void append(Table table, long rows) {
        table.newFastAppend().appendFile(ServedLake.file(table, rows)).commit();
    }

    private static TableMetadata metadata(Table table) {
        return ((BaseTable) table).operations().current();
    }

    private static TableCommit appended(TableIdentifier name, Table table, long rows) {
        Transaction transaction = table.newTransaction();
        AppendFiles append = transaction.newFastAppend();
        append.appendFile(ServedLake.file(table, rows)).commit();
        return commit(name, transaction);
    }

    private static TableCommit columnAdded(TableIdentifier name, Table table, String column) {
        Transaction transaction = table.newTransaction();
        UpdateSchema update = transaction.updateSchema();
        update.addColumn(column, Types.LongType.get()).commit();
        return commit(name, transaction);
    }

    private static TableCommit commit(TableIdentifier name, Transaction transaction) {
        BaseTransaction base = (BaseTransaction) transaction;
        return TableCommit.create(name, base.startMetadata(), base.currentMetadata());
    }
}
