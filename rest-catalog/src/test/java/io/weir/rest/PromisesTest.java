package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.coordinator.Action;
import io.weir.coordinator.Caller;
import io.weir.coordinator.LakeRequest;
import io.weir.coordinator.TableEntry;
import io.weir.store.Fault;
import io.weir.store.FaultyStore;
import io.weir.store.ObjectStores;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.WeirSnapshots;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users of catalogs complain about, one test each. */
class PromisesTest extends OnServedLake {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final String TABLES = "/v1/lake/namespaces/default/tables";
    private static final String TABLE = TABLES + "/readings";
    private static final int SNAPSHOTS = 10_000;

    private static String create(String name) {
        return "{\"name\": \"" + name
                + "\", \"schema\": {\"type\": \"struct\", \"fields\": [{\"id\": 1, \"name\": \"id\","
                + " \"type\": \"long\", \"required\": false}]}}";
    }

    @Test
    void anUnknownCommitOutcomeIsA5xxAndDeletesNothing() throws Exception {
        AtomicBoolean cut = new AtomicBoolean();
        Path other = Files.createDirectory(folder.resolve("cut"));
        try (ServedLake lost = ServedLake.on(
                        FaultyStore.wrap(
                                ObjectStores.local(other),
                                (operation, key) ->
                                        cut.get() && key.startsWith("_weir/log/") ? Fault.REQUEST_LOST : Fault.NONE),
                        other);
                RESTCatalog client = lost.catalog()) {
            Table table = client.createTable(READINGS, SCHEMA);
            Set<Path> before = files(other);
            cut.set(true);
            HttpResponse<String> answer = lost.post(
                    TABLE,
                    "{\"requirements\": [], \"updates\": [{\"action\": \"set-properties\", \"updates\": {\"a\": \"b\"}}]}");
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).contains("CommitStateUnknownException");
            assertThat(files(other)).containsAll(before);
            cut.set(false);
            table.refresh();
        }
    }

    private static Set<Path> files(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }

    private String overwrite(Snapshot like, long id, long sequenceNumber, String requirements) {
        return String.format(
                Locale.ROOT,
                "{\"requirements\": [%s], \"updates\": [{\"action\": \"add-snapshot\", \"snapshot\": {\"snapshot-id\": %d,"
                        + " \"parent-snapshot-id\": %d, \"sequence-number\": %d, \"timestamp-ms\": %d, \"schema-id\": 0,"
                        + " \"manifest-list\": \"%s\", \"summary\": {\"operation\": \"overwrite\"}}},"
                        + " {\"action\": \"set-snapshot-ref\", \"ref-name\": \"main\", \"type\": \"branch\","
                        + " \"snapshot-id\": %d}]}",
                requirements,
                id,
                like.snapshotId(),
                sequenceNumber,
                System.currentTimeMillis(),
                like.manifestListLocation(),
                id);
    }

    private Snapshot appended() {
        Table table = catalog.createTable(READINGS, SCHEMA);
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        return table.currentSnapshot();
    }

    @Test
    void aStaleSequenceNumberIs409() {
        Snapshot snapshot = appended();
        HttpResponse<String> answer = served.post(TABLE, overwrite(snapshot, 77, snapshot.sequenceNumber(), ""));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(answer.body()).contains("CommitFailedException");
    }

    @Test
    void aRefThatMustNotBeThereIsLookedFor() {
        Snapshot snapshot = appended();
        HttpResponse<String> answer = served.post(
                TABLE,
                overwrite(
                        snapshot,
                        77,
                        snapshot.sequenceNumber() + 1,
                        "{\"type\": \"assert-ref-snapshot-id\", \"ref\": \"main\", \"snapshot-id\": null}"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    }

    @Test
    void of50ConcurrentCreatesOneSucceedsAnd49Are409() throws Exception {
        Map<Integer, Long> statuses = inParallel(50, i -> served.post(TABLES, create("readings"))).stream()
                .collect(Collectors.groupingBy(HttpResponse::statusCode, Collectors.counting()));
        assertThat(statuses).isEqualTo(Map.of(200, 1L, 409, 49L));
    }

    @Test
    void sixtyConcurrentWritersProduceNo500() throws Exception {
        catalog.createTable(READINGS, SCHEMA);
        List<Integer> written = inParallel(60, i -> {
            Table table = catalog.loadTable(READINGS);
            table.newFastAppend().appendFile(ServedLake.file(table, 1)).commit();
            return 1;
        });
        assertThat(written).hasSize(60);
        assertThat(catalog.loadTable(READINGS).currentSnapshot().summary()).containsEntry("total-records", "60");
    }

    private interface Work<T> {
        T run(int number) throws Exception;
    }

    private static <T> List<T> inParallel(int workers, Work<T> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int number = i;
                running.add(threads.submit(() -> work.run(number)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(future.get());
            }
            return results;
        }
    }

    @Test
    void anOmittedPurgeFlagIsFalse() {
        appended();
        TableEntry table = served.lake().state().table(READINGS).orElseThrow();
        assertThat(served.send("DELETE", TABLE).statusCode()).isEqualTo(204);
        assertThat(served.lake().state().dropped()).hasSize(1);
        assertThat(served.lake().io().newInputFile(table.metadataLocation()).exists())
                .isTrue();
    }

    @Test
    void aViewIsDroppedWhateverThePurgeSetting() {
        String views = "/v1/lake/namespaces/default/views";
        String view = ServedLake.view("v", "\"gc.enabled\": \"false\"");
        for (String flag : List.of("", "?purgeRequested=true", "?purgeRequested=false")) {
            HttpResponse<String> made = served.post(views, view);
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            assertThat(served.send("DELETE", views + "/v" + flag).statusCode()).isEqualTo(204);
        }
    }

    /** A requirement or update of tables, in a commit to a view that is there. */
    @Test
    void aViewTakesNoChangeOfATable() {
        String views = "/v1/lake/namespaces/default/views";
        served.post(views, ServedLake.view("v", ""));
        for (String body : List.of(
                "{\"requirements\": [{\"type\": \"assert-current-schema-id\", \"current-schema-id\": 0}], \"updates\": []}",
                "{\"requirements\": [], \"updates\": [{\"action\": \"set-default-sort-order\", \"sort-order-id\": 0}]}")) {
            HttpResponse<String> answer = served.post(views + "/v", body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        }
    }

    @Test
    void twoTablesNeverShareOrOverlapALocation() {
        Table first = catalog.createTable(READINGS, SCHEMA);
        for (String location : List.of(first.location(), first.location() + "/inside", parent(first.location()))) {
            assertThatThrownBy(() -> catalog.buildTable(TableIdentifier.of("default", "other"), SCHEMA)
                            .withLocation(location)
                            .create())
                    .as(location)
                    .hasMessageContaining("overlaps");
        }
        assertThat(catalog.createTable(TableIdentifier.of("default", "other"), SCHEMA)
                        .location())
                .isNotEqualTo(first.location());
        assertThat(catalog.buildTable(TableIdentifier.of("default", "allowed"), SCHEMA)
                        .withLocation(first.location() + "/inside")
                        .withProperty("weir.allow-location-overlap", "true")
                        .create()
                        .location())
                .isEqualTo(first.location() + "/inside");
    }

    private static String parent(String location) {
        return location.substring(0, location.lastIndexOf('/'));
    }

    @Test
    void aListingIsNeverTruncatedSilently() {
        List<Action> actions = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            TableIdentifier name = TableIdentifier.of("default", "t" + i);
            actions.add(new Action.CreateTable(
                    name,
                    TableMetadata.newTableMetadata(
                            SCHEMA, PartitionSpec.unpartitioned(), served.lake().newLocation(name), Map.of())));
        }
        served.lake().commit(new LakeRequest(Caller.WEIR, actions));
        assertThat(ServedLake.json(served.get(TABLES)).get("identifiers")).hasSize(1_500);
        assertThat(catalog.listTables(Namespace.of("default"))).hasSize(1_500);
    }

    private void withLongHistory() {
        appended();
        registerHistory(
                SNAPSHOTS,
                ((BaseTable) catalog.loadTable(READINGS)).operations().current());
    }

    /** The table's snapshot again and again, under new ids, in place of the table. */
    private void registerHistory(int snapshots, TableMetadata metadata) {
        Snapshot first = metadata.currentSnapshot();
        TableMetadata.Builder builder = TableMetadata.buildFrom(metadata);
        long parent = first.snapshotId();
        for (int i = 1; i <= snapshots; i++) {
            Snapshot next = WeirSnapshots.snapshot(
                    first.sequenceNumber() + i,
                    i,
                    parent,
                    first.timestampMillis() + i,
                    "append",
                    first.summary(),
                    first.schemaId(),
                    first.manifestListLocation(),
                    null,
                    null);
            builder.setBranchSnapshot(next, SnapshotRef.MAIN_BRANCH);
            parent = i;
        }
        String file = metadata.location() + "/metadata/" + UUID.randomUUID() + ".metadata.json";
        TableMetadataParser.write(
                builder.discardChanges().build(), served.lake().io().newOutputFile(file));
        HttpResponse<String> registered = served.post(
                "/v1/lake/namespaces/default/register",
                "{\"name\": \"readings\", \"metadata-location\": \"" + file + "\", \"overwrite\": true}");
        assertThat(registered.statusCode()).as(registered.body()).isEqualTo(200);
    }

    @Test
    void aTableOf10000SnapshotsLoadsInRefsModeWithoutItsHistory() {
        withLongHistory();
        JsonNode refs = ServedLake.json(served.get(TABLE + "?snapshots=refs")).get("metadata");
        assertThat(refs.get("snapshots")).hasSize(1);
        assertThat(served.get(TABLE + "?snapshots=refs").body().length()).isLessThan(10_000);
        assertThat(ServedLake.json(served.get(TABLE)).get("metadata").get("snapshots"))
                .hasSize(SNAPSHOTS + 1);
    }

    /**
     * Four times as many take four times as long where the work is linear and sixteen times where it is quadratic. What is
     * measured is the work on the metadata, without requests and files; the median of many runs.
     */
    @Test
    @Timeout(120)
    void removingManySnapshotsAtOnceTakesTimeLinearInTheirNumber() {
        appended();
        TableMetadata start =
                ((BaseTable) catalog.loadTable(READINGS)).operations().current();
        registerHistory(SNAPSHOTS, start);
        double whole = medianMillisToRemove(SNAPSHOTS);
        registerHistory(SNAPSHOTS / 4, start);
        double quarter = medianMillisToRemove(SNAPSHOTS / 4);
        assertThat(whole / quarter)
                .as("%.2f ms for %d snapshots, %.2f ms for %d", whole, SNAPSHOTS, quarter, SNAPSHOTS / 4)
                .isLessThan(9);
        String ids = LongStream.range(1, SNAPSHOTS / 4).mapToObj(Long::toString).collect(Collectors.joining(","));
        HttpResponse<String> answer = served.post(
                TABLE,
                "{\"requirements\": [], \"updates\": [{\"action\": \"remove-snapshots\", \"snapshot-ids\": [" + ids
                        + "]}]}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(ServedLake.json(answer).get("metadata").get("snapshots")).hasSize(2);
    }

    private double medianMillisToRemove(int snapshots) {
        Action remove = new Action.UpdateTable(
                READINGS,
                List.of(),
                List.of(new MetadataUpdate.RemoveSnapshots(
                        LongStream.range(1, snapshots).boxed().collect(Collectors.toSet()))));
        double[] times = IntStream.range(0, 25)
                .mapToDouble(_ -> millisToPreview(remove))
                .sorted()
                .toArray();
        return times[times.length / 2];
    }

    private double millisToPreview(Action action) {
        long from = System.nanoTime();
        TableMetadata after = served.lake()
                .preview(served.lake().state(), List.of(action))
                .metadata(READINGS)
                .orElseThrow();
        double millis = (System.nanoTime() - from) / 1e6;
        assertThat(after.snapshots()).hasSize(2);
        return millis;
    }

    @Test
    void aWriterOfAV2TableThatWasUpgradedMeanwhileGets409() {
        Snapshot snapshot = appended();
        String inFlight = overwrite(snapshot, 77, snapshot.sequenceNumber() + 1, "");
        catalog.loadTable(READINGS)
                .updateProperties()
                .set("format-version", "3")
                .commit();
        HttpResponse<String> answer = served.post(TABLE, inFlight);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(answer.body()).contains("CommitFailedException");
    }

    @Test
    void aRegisteredTableTakesTheOtherOnesPlace() {
        Table table = catalog.createTable(READINGS, SCHEMA);
        String first = ((BaseTable) table).operations().current().metadataFileLocation();
        table.newFastAppend().appendFile(ServedLake.file(table, 3)).commit();
        String body = "{\"name\": \"readings\", \"metadata-location\": \"" + first + "\"%s}";
        assertThat(served.post("/v1/lake/namespaces/default/register", String.format(Locale.ROOT, body, ""))
                        .statusCode())
                .isEqualTo(409);
        assertThat(served.post(
                                "/v1/lake/namespaces/default/register",
                                String.format(Locale.ROOT, body, ", \"overwrite\": true"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(catalog.loadTable(READINGS).currentSnapshot()).isNull();
    }
}
