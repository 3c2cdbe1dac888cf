package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionParser;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** Scans planned by the server against Iceberg's own planning of the same table. */
class ScanPlanningTest extends OnServedLake {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.optional(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "site", Types.StringType.get()));
    private static final TableIdentifier READINGS = TableIdentifier.of("default", "readings");
    private static final String TABLE = "/v1/lake/namespaces/default/tables/readings";

    private Table table;

    private void create(int formatVersion, PartitionSpec spec) {
        table = catalog.buildTable(READINGS, SCHEMA)
                .withPartitionSpec(spec)
                .withProperty("format-version", Integer.toString(formatVersion))
                .create();
    }

    private DataFile append(long low, long high) {
        DataFile file = DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
                .withFileSizeInBytes(100)
                .withMetrics(new Metrics(
                        high - low + 1,
                        Map.of(1, 100L),
                        Map.of(1, high - low + 1),
                        Map.of(1, 0L),
                        Map.of(),
                        Map.of(1, Conversions.toByteBuffer(Types.LongType.get(), low)),
                        Map.of(1, Conversions.toByteBuffer(Types.LongType.get(), high))))
                .build();
        table.newFastAppend().appendFile(file).commit();
        return file;
    }

    private JsonNode plan(String body) {
        HttpResponse<String> response = served.post(TABLE + "/plan", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode plan = ServedLake.json(response);
        assertThat(plan.get("status").asText()).isEqualTo("completed");
        return plan;
    }

    /** Locations of the planned files, each with those of its deletes; tokens are followed. */
    private Map<String, Set<String>> files(JsonNode plan) {
        Map<String, Set<String>> files = new TreeMap<>();
        add(plan, files);
        for (JsonNode token : plan.path("plan-tasks")) {
            add(ServedLake.json(served.post(TABLE + "/tasks", "{\"plan-task\": \"" + token.asText() + "\"}")), files);
        }
        return files;
    }

    private static void add(JsonNode plan, Map<String, Set<String>> files) {
        for (JsonNode task : plan.path("file-scan-tasks")) {
            Set<String> deletes = new java.util.TreeSet<>();
            task.path("delete-file-references").forEach(index -> {
                JsonNode delete = plan.get("delete-files").get(index.asInt());
                deletes.add(delete.get("file-path").asText() + "@"
                        + delete.path("content-offset").asText());
            });
            files.put(task.get("data-file").get("file-path").asText(), deletes);
        }
    }

    private Map<String, Set<String>> local(Expression filter) {
        table.refresh();
        Map<String, Set<String>> files = new TreeMap<>();
        for (FileScanTask task : table.newScan().filter(filter).planFiles()) {
            Set<String> deletes = new java.util.TreeSet<>();
            task.deletes()
                    .forEach(delete -> deletes.add(
                            delete.location() + "@" + (delete.contentOffset() == null ? "" : delete.contentOffset())));
            files.put(task.file().location(), deletes);
        }
        return files;
    }

    private static String filtered(Expression filter) {
        return "{\"filter\": " + ExpressionParser.toJson(filter) + "}";
    }

    @Test
    void aTableWithoutRowsHasNoTasks() {
        create(2, PartitionSpec.unpartitioned());
        assertThat(files(plan("{}"))).isEmpty();
    }

    @Test
    void filtersChooseFilesAndLeaveResiduals() {
        create(2, PartitionSpec.unpartitioned());
        append(0, 9);
        DataFile high = append(10, 19);
        Expression filter = Expressions.greaterThan("id", 12L);
        JsonNode plan = plan(filtered(filter));
        assertThat(files(plan)).isEqualTo(local(filter)).containsOnlyKeys(high.location());
        assertThat(plan.get("file-scan-tasks").get(0).get("residual-filter").toString())
                .contains("id")
                .contains("12");
    }

    @Test
    void deletesComeWithTheFilesTheyHit() {
        create(3, PartitionSpec.unpartitioned());
        DataFile first = append(0, 9);
        DataFile second = append(10, 19);
        append(20, 29);
        String puffin = table.location() + "/data/" + UUID.randomUUID() + ".puffin";
        table.newRowDelta()
                .addDeletes(vector(puffin, first, 4))
                .addDeletes(vector(puffin, second, 44))
                .commit();
        Map<String, Set<String>> files = files(plan("{}"));
        assertThat(files).isEqualTo(local(Expressions.alwaysTrue()));
        assertThat(files.get(first.location())).containsExactly(puffin + "@4");
        assertThat(files.get(second.location())).containsExactly(puffin + "@44");
    }

    private static DeleteFile vector(String puffin, DataFile file, long offset) {
        return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofPositionDeletes()
                .withPath(puffin)
                .withFormat(FileFormat.PUFFIN)
                .withReferencedDataFile(file.location())
                .withContentOffset(offset)
                .withContentSizeInBytes(40)
                .withRecordCount(1)
                .withFileSizeInBytes(100)
                .build();
    }

    @Test
    void rowsHaveTheirLineage() {
        create(3, PartitionSpec.unpartitioned());
        append(0, 9);
        DataFile second = append(10, 19);
        JsonNode found = null;
        for (JsonNode task : plan("{}").get("file-scan-tasks")) {
            if (task.get("data-file").get("file-path").asText().equals(second.location())) {
                found = task.get("data-file");
            }
        }
        assertThat(found).isNotNull();
        assertThat(found.get("first-row-id").asLong()).isEqualTo(10);
    }

    @Test
    void aLargePlanIsFetchedInPartsThatOutliveTheServer() {
        create(2, PartitionSpec.unpartitioned());
        List<String> locations = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            locations.add(append(i, i).location());
        }
        JsonNode plan = plan("{}");
        assertThat(plan.get("plan-tasks")).hasSizeGreaterThan(1);
        append(100, 100);
        served.close();
        served = ServedLake.in(folder);

        assertThat(files(plan)).containsOnlyKeys(locations);
        JsonNode result = ServedLake.json(
                served.get(TABLE + "/plan/" + plan.get("plan-id").asText()));
        assertThat(result.get("status").asText()).isEqualTo("completed");
        assertThat(files(result)).containsOnlyKeys(locations);
        assertThat(served.send("DELETE", TABLE + "/plan/" + plan.get("plan-id").asText())
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void anIncrementalScanLeavesItsStartOut() {
        create(2, PartitionSpec.unpartitioned());
        append(0, 9);
        table.refresh();
        long start = table.currentSnapshot().snapshotId();
        DataFile second = append(10, 19);
        table.refresh();
        long end = table.currentSnapshot().snapshotId();
        append(20, 29);
        assertThat(files(plan("{\"start-snapshot-id\": " + start + ", \"end-snapshot-id\": " + end + "}")))
                .containsOnlyKeys(second.location());
    }

    /** Also where the table was written otherwise between. */
    @Test
    void anIncrementalScanGivesWhatWasAppendedAndNothingElse() {
        create(2, PartitionSpec.unpartitioned());
        DataFile first = append(0, 9);
        table.refresh();
        long start = table.currentSnapshot().snapshotId();
        DataFile second = append(10, 19);
        table.newDelete().deleteFile(first).commit();
        DataFile third = append(20, 29);
        table.refresh();
        long end = table.currentSnapshot().snapshotId();
        JsonNode plan = plan("{\"start-snapshot-id\": " + start + ", \"end-snapshot-id\": " + end + "}");
        assertThat(files(plan)).containsOnlyKeys(second.location(), third.location());
        append(30, 39);
        served.close();
        served = ServedLake.in(folder);
        assertThat(files(ServedLake.json(
                        served.get(TABLE + "/plan/" + plan.get("plan-id").asText()))))
                .containsOnlyKeys(second.location(), third.location());
        assertThat(files(plan("{\"start-snapshot-id\": " + end + ", \"end-snapshot-id\": " + end + "}")))
                .isEmpty();
        assertThat(served.post(
                                TABLE + "/plan",
                                "{\"start-snapshot-id\": " + end + ", \"end-snapshot-id\": " + start + "}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(served.post(TABLE + "/plan", "{\"start-snapshot-id\": " + start + "}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aFilterMeansTheColumnsOfTheSnapshotsSchemaWhereThatIsAskedFor() {
        create(2, PartitionSpec.builderFor(SCHEMA).identity("site").build());
        table.updateSpec().removeField("site").commit();
        DataFile low = append(0, 9);
        DataFile high = append(10, 19);
        table.refresh();
        long then = table.currentSnapshot().snapshotId();
        table.updateSchema().renameColumn("id", "number").deleteColumn("site").commit();
        table.updateSchema().addColumn("id", Types.StringType.get()).commit();
        String atThen = "{\"snapshot-id\": " + then + ", \"use-snapshot-schema\": %s, \"filter\": "
                + ExpressionParser.toJson(Expressions.greaterThan("id", 12L)) + ", \"stats-fields\": [\"id\"]}";
        JsonNode old = plan(atThen.replace("%s", "true"));
        assertThat(files(old)).containsOnlyKeys(high.location());
        assertThat(old.at("/file-scan-tasks/0/data-file/lower-bounds/keys/0").asInt())
                .isEqualTo(1);
        assertThat(served.post(TABLE + "/plan", atThen.replace("%s", "false")).statusCode())
                .isEqualTo(400);
        assertThat(files(plan(filtered(Expressions.lessThan("number", 5L))))).containsOnlyKeys(low.location());
        assertThat(files(plan("{\"start-snapshot-id\": "
                        + table.snapshot(then).parentId() + ", \"end-snapshot-id\": " + then
                        + ", \"use-snapshot-schema\": true, \"filter\": "
                        + ExpressionParser.toJson(Expressions.greaterThan("id", 12L)) + "}")))
                .containsOnlyKeys(high.location());
    }

    @Test
    void planningEndsWhereAsManyRowsAsAskedForAreCertain() {
        create(3, PartitionSpec.unpartitioned());
        List<DataFile> files = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            files.add(append(10L * i, 10L * i + 9));
        }
        assertThat(files(plan("{\"min-rows-requested\": 25}"))).hasSize(3);
        assertThat(files(plan("{\"min-rows-requested\": 1000}"))).hasSize(6);
        assertThat(files(plan("{\"min-rows-requested\": 10, \"filter\": "
                        + ExpressionParser.toJson(Expressions.greaterThan("id", 25L)) + "}")))
                .as("a file that the filter takes a part of counts for nothing")
                .hasSizeBetween(1, 4)
                .containsAnyOf(
                        Map.entry(files.get(3).location(), Set.of()),
                        Map.entry(files.get(4).location(), Set.of()),
                        Map.entry(files.get(5).location(), Set.of()));
        String puffin = table.location() + "/data/" + UUID.randomUUID() + ".puffin";
        table.refresh();
        var delta = table.newRowDelta();
        files.forEach(file -> delta.addDeletes(vector(puffin, file, 4)));
        delta.commit();
        assertThat(files(plan("{\"min-rows-requested\": 10}")))
                .as("files with deletes count for nothing")
                .hasSize(6);
        assertThat(served.post(TABLE + "/plan", "{\"min-rows-requested\": -1}").statusCode())
                .isEqualTo(400);
    }

    @Test
    void aLargePlanWithEnoughRowsInItsFirstPartNeedsNoOthers() {
        create(2, PartitionSpec.unpartitioned());
        for (int i = 0; i < 40; i++) {
            append(10L * i, 10L * i + 9);
        }
        JsonNode enough = plan("{\"min-rows-requested\": 30}");
        assertThat(enough.path("plan-tasks")).isEmpty();
        assertThat(files(enough)).hasSize(3);
        JsonNode more = plan("{\"min-rows-requested\": 390}");
        assertThat(more.path("plan-tasks")).hasSizeGreaterThan(1);
        assertThat(files(more)).hasSize(40);
    }

    @Test
    void aPlanOfAFilterTooLongForAPathIsKnownWhileTheServerRunsAndItsTasksAfterIt() {
        create(2, PartitionSpec.unpartitioned());
        for (int i = 0; i < 40; i++) {
            append(i, i);
        }
        Random random = new Random(7);
        Expression filter = Expressions.in(
                "id",
                Stream.concat(
                                LongStream.range(0, 40).boxed(),
                                random.longs(3_000).boxed())
                        .toArray());
        JsonNode plan = plan(filtered(filter));
        String id = plan.get("plan-id").asText();
        assertThat(id.length()).isLessThanOrEqualTo(PlanIds.LONGEST);
        assertThat(plan.get("plan-tasks").get(0).asText().length()).isGreaterThan(PlanIds.LONGEST);
        assertThat(files(ServedLake.json(served.get(TABLE + "/plan/" + id)))).hasSize(40);
        assertThat(served.send("DELETE", TABLE + "/plan/" + id).statusCode()).isEqualTo(204);
        served.close();
        served = ServedLake.in(folder);
        assertThat(files(plan)).hasSize(40);
        HttpResponse<String> forgotten = served.get(TABLE + "/plan/" + id);
        assertThat(forgotten.statusCode()).isEqualTo(404);
        assertThat(forgotten.body()).contains("NoSuchPlanIdException");
    }

    @Test
    void icebergsClientPlansHere() throws Exception {
        create(3, PartitionSpec.unpartitioned());
        append(0, 9);
        DataFile high = append(10, 19);
        for (int i = 0; i < 40; i++) {
            append(100, 101);
        }
        try (RESTCatalog planned = served.catalog(Map.of("scan-planning-mode", "server"))) {
            Table remote = planned.loadTable(READINGS);
            Expression filter = Expressions.and(Expressions.greaterThan("id", 12L), Expressions.lessThan("id", 50L));
            assertThat(remote.newScan().getClass().getSimpleName()).isEqualTo("RESTTableScan");
            List<String> files = new ArrayList<>();
            remote.newScan()
                    .filter(filter)
                    .planFiles()
                    .forEach(task -> files.add(task.file().location()));
            assertThat(files).containsExactly(high.location());
        }
    }

    @Test
    void whatCanNotBePlannedIsRefused() {
        create(2, PartitionSpec.unpartitioned());
        append(0, 9);
        assertThat(served.post(TABLE + "/plan", "{\"snapshot-id\": 5}").statusCode())
                .isEqualTo(400);
        assertThat(served.post(TABLE + "/plan", filtered(Expressions.equal("missing", 1)))
                        .statusCode())
                .isEqualTo(400);
        assertThat(served.post(TABLE + "/plan", "{\"stats-fields\": [\"missing\"]}")
                        .statusCode())
                .isEqualTo(400);
        HttpResponse<String> task = served.post(TABLE + "/tasks", "{\"plan-task\": \"nonsense\"}");
        assertThat(task.statusCode()).isEqualTo(404);
        assertThat(task.body()).contains("NoSuchPlanTaskException");
        String uuid = served.lake()
                .metadata(served.lake().state().table(READINGS).orElseThrow())
                .uuid();
        String forged = new ScanToken(uuid, 1, PlanTableScanRequest.builder().build(), 3, 1).text();
        assertThat(served.post(TABLE + "/tasks", "{\"plan-task\": \"" + forged + "\"}")
                        .statusCode())
                .isEqualTo(404);
        HttpResponse<String> result = served.get(TABLE + "/plan/nonsense");
        assertThat(result.statusCode()).isEqualTo(404);
        assertThat(result.body()).contains("NoSuchPlanIdException");
    }
}
