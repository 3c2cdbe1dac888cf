package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.tests.fixtures.Fixture;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.view.SQLViewRepresentation;
import org.apache.iceberg.view.View;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Views of Spark and of Trino beside each other, and one view that speaks both dialects. */
@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ViewDialectsTest {
    private static final Schema COLUMNS = new Schema(
            Types.NestedField.optional(1, "k", Types.LongType.get()),
            Types.NestedField.optional(2, "n", Types.StringType.get()));
    private static final List<Object> FIRST = List.of(1L, "A");
    private static final List<Object> SECOND = List.of(2L, "B");

    private final ServedLake lake = new ServedLake("views");
    private final Fixture<SparkEngine> spark = new Fixture<>(() -> SparkEngine.start(lake.address()));
    private final Fixture<TrinoEngine> trino = new Fixture<>(() -> TrinoEngine.start(lake.address()));
    private final Fixture<RESTCatalog> client = new Fixture<>(this::connect);

    private RESTCatalog connect() {
        RESTCatalog catalog = new RESTCatalog();
        catalog.initialize(
                "weir",
                Map.of(
                        "uri", lake.address().uri().toString(),
                        "warehouse", lake.address().warehouse(),
                        "io-impl", "org.apache.iceberg.aws.s3.S3FileIO"));
        return catalog;
    }

    @AfterAll
    void stop() {
        client.close();
        spark.close();
        trino.close();
        lake.close();
    }

    private Answer spark(String statement) {
        return spark.get().sql(statement);
    }

    private Answer trino(String statement) {
        return trino.get().sql(statement);
    }

    private void table(String schema) {
        spark("CREATE NAMESPACE " + schema);
        spark("CREATE TABLE " + schema + ".t AS SELECT 1L AS id, 'a' AS name UNION ALL SELECT 2L, 'b'");
    }

    /** The view {@code v} with a text for each engine. */
    private void view(String schema, String ofSpark, String ofTrino) {
        client.get()
                .buildView(TableIdentifier.of(schema, "v"))
                .withSchema(COLUMNS)
                .withDefaultCatalog("weir")
                .withDefaultNamespace(Namespace.of(schema))
                .withQuery("spark", ofSpark)
                .withQuery("trino", ofTrino)
                .create();
    }

    private List<String> dialects(String schema, String view) {
        View loaded = client.get().loadView(TableIdentifier.of(schema, view));
        return loaded.currentVersion().representations().stream()
                .map(representation -> ((SQLViewRepresentation) representation).dialect())
                .toList();
    }

    @Test
    void aViewOfSparkIsMadeReadReplacedRenamedListedAndDropped() {
        table("by_spark");
        spark("CREATE VIEW by_spark.v (k COMMENT 'key', n) COMMENT 'of Spark' TBLPROPERTIES ('p' = 'q')"
                + " AS SELECT id, upper(name) FROM by_spark.t");
        assertThat(spark("SELECT * FROM by_spark.v ORDER BY k").rows()).containsExactly(FIRST, SECOND);
        assertThat(spark("SHOW CREATE TABLE by_spark.v").single().toString())
                .contains("COMMENT 'of Spark'", "'p' = 'q'", "COMMENT 'key'");
        assertThatThrownBy(() -> trino("SELECT * FROM by_spark.v"))
                .hasMessageContaining("Cannot read unsupported dialect 'spark'");
        spark("CREATE OR REPLACE VIEW by_spark.v AS SELECT id AS k FROM by_spark.t");
        assertThat(spark("SELECT * FROM by_spark.v").columns()).containsExactly("k");
        spark("ALTER VIEW by_spark.v SET TBLPROPERTIES ('x' = 'y')");
        spark("ALTER VIEW by_spark.v UNSET TBLPROPERTIES ('x')");
        spark("ALTER VIEW by_spark.v RENAME TO by_spark.w");
        assertThat(spark("SHOW VIEWS IN by_spark").rows())
                .extracting(row -> row.get(1))
                .contains("w");
        assertThat(spark("SHOW TABLES IN by_spark").rows())
                .extracting(row -> row.get(1))
                .containsExactly("t");
        assertThatThrownBy(() -> spark("CREATE VIEW by_spark.t AS SELECT 1 AS one"))
                .hasMessageContaining("already exists");
        spark("DROP VIEW by_spark.w");
        assertThatThrownBy(() -> spark("SELECT * FROM by_spark.w")).hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    }

    @Test
    void aViewOfTrinoIsMadeReadByBothReplacedRenamedListedAndDropped() {
        table("by_trino");
        trino("CREATE VIEW by_trino.v AS SELECT id AS k, upper(name) AS n FROM by_trino.t");
        assertThat(trino("SELECT * FROM by_trino.v ORDER BY k").rows()).containsExactly(FIRST, SECOND);
        assertThat(spark("SELECT * FROM by_trino.v ORDER BY k").rows())
                .as("Spark tries what another engine wrote where its own dialect is missing")
                .containsExactly(FIRST, SECOND);
        trino("CREATE OR REPLACE VIEW by_trino.v COMMENT 'of Trino' AS SELECT id AS k FROM by_trino.t");
        trino("COMMENT ON VIEW by_trino.v IS 'other'");
        trino("ALTER VIEW by_trino.v RENAME TO by_trino.w");
        assertThat(trino("SELECT table_name FROM information_schema.views WHERE table_schema = 'by_trino'")
                        .rows())
                .containsExactly(List.of("w"));
        assertThat(trino("SHOW TABLES FROM by_trino").rows()).containsExactly(List.of("t"), List.of("w"));
        trino("DROP VIEW by_trino.w");
        assertThat(trino("SHOW TABLES FROM by_trino").rows()).containsExactly(List.of("t"));
    }

    @Test
    void oneViewSpeaksBothDialectsAndEachEngineReadsItsOwn() {
        table("both");
        view(
                "both",
                "SELECT id AS k, upper(name) AS n FROM t WHERE id = 1L",
                "SELECT id AS k, upper(name) AS n FROM t WHERE id = BIGINT '2'");
        assertThat(dialects("both", "v")).containsExactlyInAnyOrder("spark", "trino");
        assertThat(spark("SELECT * FROM both.v").rows()).containsExactly(FIRST);
        assertThat(trino("SELECT * FROM both.v").rows()).containsExactly(SECOND);
        spark("CREATE VIEW both.s AS SELECT 1 AS one");
        trino("CREATE VIEW both.x AS SELECT 1 AS one");
        assertThat(spark("SHOW VIEWS IN both").rows())
                .extracting(row -> row.get(1))
                .contains("v", "s", "x");
        assertThat(trino("SHOW TABLES FROM both").rows())
                .extracting(List::getFirst)
                .contains("v", "s", "x");
    }

    @Test
    void neitherEngineDropsTheOthersDialectUnlessTheViewSaysThatItMay() {
        table("shared");
        String query = "SELECT id AS k, upper(name) AS n FROM t";
        view("shared", query, query);
        String loss = "loss of view dialects";
        assertThatThrownBy(() -> spark("CREATE OR REPLACE VIEW shared.v AS SELECT id AS k FROM shared.t"))
                .hasMessageContaining(loss);
        assertThatThrownBy(() -> trino("CREATE OR REPLACE VIEW shared.v AS SELECT id AS k FROM shared.t"))
                .hasMessageContaining(loss);
        assertThat(dialects("shared", "v")).containsExactlyInAnyOrder("spark", "trino");
        assertThat(trino("SELECT * FROM shared.v ORDER BY k").rows()).containsExactly(FIRST, SECOND);
        spark("ALTER VIEW shared.v SET TBLPROPERTIES ('replace.drop-dialect.allowed' = 'true')");
        assertThat(dialects("shared", "v")).containsExactlyInAnyOrder("spark", "trino");
        spark("CREATE OR REPLACE VIEW shared.v TBLPROPERTIES ('replace.drop-dialect.allowed' = 'true')"
                + " AS SELECT id AS k FROM shared.t");
        assertThat(dialects("shared", "v")).containsExactly("spark");
        trino("CREATE OR REPLACE VIEW shared.v AS SELECT id AS k FROM shared.t WHERE id = 2");
        assertThat(dialects("shared", "v")).containsExactly("trino");
        assertThat(trino("SELECT * FROM shared.v").rows()).containsExactly(List.of(2L));
        spark("DROP VIEW shared.v");
        assertThat(trino("SHOW TABLES FROM shared").rows()).containsExactly(List.of("t"));
    }

    @Test
    void aBranchOfSparkIsReadByTrino() {
        table("branched");
        spark("ALTER TABLE branched.t CREATE BRANCH audit");
        spark("ALTER TABLE branched.t CREATE TAG start");
        spark("INSERT INTO branched.t.branch_audit VALUES (3L, 'c')");
        assertThat(trino("SELECT count(*) FROM branched.t").single()).isEqualTo(2L);
        assertThat(trino("SELECT count(*) FROM branched.t FOR VERSION AS OF 'audit'")
                        .single())
                .isEqualTo(3L);
        assertThat(trino("SELECT count(*) FROM branched.t FOR VERSION AS OF 'start'")
                        .single())
                .isEqualTo(2L);
        assertThat(trino("SELECT name, type FROM branched.\"t$refs\" ORDER BY name")
                        .rows())
                .containsExactly(List.of("audit", "BRANCH"), List.of("main", "BRANCH"), List.of("start", "TAG"));
    }
}
