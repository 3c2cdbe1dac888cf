package io.weir.service.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.coordinator.Caller;
import io.weir.coordinator.LakeTableOperations;
import io.weir.coordinator.TableEntry;
import io.weir.coordinator.Version;
import io.weir.incremental.engine.Column;
import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.service.statement.AnswerSink;
import io.weir.service.statement.SqlRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewColumnTypesTest {
    @TempDir
    private Path folder;

    private WeirServer server;

    @BeforeEach
    void start() {
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + folder.resolve("lake")),
                        Setting.LISTEN, List.of("127.0.0.1:0"))));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<List<Object>> run(String sql) {
        List<List<Object>> rows = new ArrayList<>();
        server.lakes()
                .first()
                .statements()
                .run(new SqlRequest(sql, Map.of(), Optional.empty(), Caller.WEIR), new AnswerSink() {
                    @Override
                    public void start(Version version, List<Column> columns) {}

                    @Override
                    public void row(List<Object> values) {
                        rows.add(values);
                    }
                });
        return rows;
    }

    private Schema schema(String view) {
        TableEntry table = server.lakes()
                .first()
                .lake()
                .state()
                .table(TableIdentifier.of("default", view))
                .orElseThrow();
        return server.lakes().first().lake().metadata(table).schema();
    }

    private TableOperations operations(String table) {
        return new LakeTableOperations(
                server.lakes().first().lake(), TableIdentifier.of("default", table), new Caller("test", "junit"));
    }

    private Type type(String view, String column) {
        return schema(view).findType(column);
    }

    private void assertExact(String view, String query) {
        assertThat(run("SELECT * FROM " + view + " ORDER BY ALL"))
                .as(view)
                .isEqualTo(run("SELECT * FROM (" + query + ") ORDER BY ALL"))
                .isNotEmpty();
    }

    private static final String READ = "SELECT id, amount, share, price FROM t";
    private static final String GROUPED =
            "SELECT amount, max(price) AS price, min(share) AS share, count(*) AS n FROM rows_of GROUP BY amount";
    private static final String STATE_ONLY = "SELECT id % 2 AS k, max(amount) > 5 AS big FROM t GROUP BY id % 2";
    private static final String TOTAL = "SELECT sum(n) AS n, max(amount) AS most FROM groups_of";

    private void flow(int formatVersion) {
        run("CREATE TABLE t (id BIGINT, amount INTEGER, share REAL, price DECIMAL(5, 2)) WITH (format_version = "
                + formatVersion + ")");
        run("INSERT INTO t VALUES (1, 7, 0.5, 1.25), (2, 7, 0.25, 2.5)");
        run("CREATE MATERIALIZED VIEW rows_of WITH (format_version = " + formatVersion + ") AS " + READ);
        run("CREATE MATERIALIZED VIEW groups_of WITH (format_version = " + formatVersion + ") AS " + GROUPED);
        run("CREATE MATERIALIZED VIEW total_of AS " + TOTAL);
        run("CREATE MATERIALIZED VIEW state_of AS " + STATE_ONLY);
    }

    private void assertAllExact() {
        assertExact("rows_of", READ);
        assertExact("groups_of", GROUPED);
        assertExact("total_of", TOTAL);
        assertExact("state_of", STATE_ONLY);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void columnsOfEveryStageAreWidenedInTheCommitThatWidensTheSource(int formatVersion) {
        flow(formatVersion);
        run("ALTER TABLE t ALTER COLUMN amount SET DATA TYPE BIGINT, ALTER COLUMN share SET DATA TYPE DOUBLE,"
                + " ALTER COLUMN price SET DATA TYPE DECIMAL(12, 2)");
        for (String view : List.of("rows_of", "groups_of")) {
            assertThat(type(view, "amount")).as(view).isEqualTo(Types.LongType.get());
            assertThat(type(view, "share")).as(view).isEqualTo(Types.DoubleType.get());
            assertThat(type(view, "price")).as(view).isEqualTo(Types.DecimalType.of(12, 2));
        }
        assertThat(type("total_of", "most")).isEqualTo(Types.LongType.get());
        assertAllExact();
        run("INSERT INTO t VALUES (3, 3000000000, 1.1, 1234567.25), (4, 7, 1.1, 0.5)");
        assertAllExact();
        run("UPDATE t SET share = 0.1, amount = amount + 3000000000 WHERE id <> 3");
        run("DELETE FROM t WHERE id = 1");
        assertAllExact();
        assertThat(run("SELECT share FROM rows_of WHERE id = 3")).containsExactly(List.of(1.1));
    }

    @Test
    void theFieldIdsOfWidenedColumnsStay() {
        flow(2);
        Schema before = schema("rows_of");
        run("ALTER TABLE t ALTER COLUMN amount SET DATA TYPE BIGINT");
        Schema after = schema("rows_of");
        assertThat(after.findField("amount").fieldId())
                .isEqualTo(before.findField("amount").fieldId());
        assertThat(after.columns()).hasSameSizeAs(before.columns());
    }

    @Test
    void aStructOfAViewGetsTheFieldThatTheSourceGot() {
        run("CREATE TABLE s (id BIGINT, p STRUCT(a INTEGER, b VARCHAR))");
        run("INSERT INTO s VALUES (1, {'a': 1, 'b': 'x'})");
        run("CREATE MATERIALIZED VIEW structs AS SELECT id, p FROM s");
        new BaseTable(operations("s"), "s")
                .updateSchema()
                .addColumn("p", "c", Types.DoubleType.get())
                .updateColumn("p.a", Types.LongType.get())
                .commit();
        assertThat(type("structs", "p.a")).isEqualTo(Types.LongType.get());
        assertThat(type("structs", "p.c")).isEqualTo(Types.DoubleType.get());
        run("INSERT INTO s VALUES (2, {'a': 3000000000, 'b': 'y', 'c': 2.5})");
        assertExact("structs", "SELECT id, p FROM s");
    }

    @Test
    void aFieldOfAStructThatAViewShowsIsNotDropped() {
        run("CREATE TABLE s (id BIGINT, p STRUCT(a INTEGER, b VARCHAR), q STRUCT(c INTEGER, d INTEGER))");
        run("INSERT INTO s VALUES (1, {'a': 1, 'b': 'x'}, {'c': 1, 'd': 2})");
        run("CREATE MATERIALIZED VIEW structs AS SELECT p, count(*) AS n, max(q.c) AS c FROM s GROUP BY p");
        Table table = new BaseTable(operations("s"), "s");
        assertThatThrownBy(() -> table.updateSchema().deleteColumn("p.b").commit())
                .hasMessageContaining("structs")
                .hasMessageContaining("p.b");
        new BaseTable(operations("s"), "s").updateSchema().deleteColumn("q.d").commit();
        run("INSERT INTO s VALUES (2, {'a': 1, 'b': 'y'}, {'c': 5})");
        assertExact("structs", "SELECT p, count(*) AS n, max(q.c) AS c FROM s GROUP BY p");
    }

    @Test
    void aChangeOfASourceThatNoColumnOfTheViewCanFollowIsRefusedAndChangesNothing() {
        flow(2);
        Schema other = new Schema(
                Types.NestedField.optional(1, "id", Types.LongType.get()),
                Types.NestedField.optional(2, "amount", Types.DoubleType.get()),
                Types.NestedField.optional(3, "share", Types.FloatType.get()),
                Types.NestedField.optional(4, "price", Types.DecimalType.of(5, 2)));
        TableOperations operations = operations("t");
        TableMetadata base = operations.current();
        TableMetadata replaced = base.buildReplacement(
                other, PartitionSpec.unpartitioned(), SortOrder.unsorted(), base.location(), Map.of());
        assertThatThrownBy(() -> operations.commit(base, replaced))
                .hasMessageContaining("rows_of")
                .hasMessageContaining("amount");
        assertThat(type("rows_of", "amount")).isEqualTo(Types.IntegerType.get());
        run("INSERT INTO t VALUES (3, 8, 0.5, 1.25)");
        assertAllExact();
    }
}
