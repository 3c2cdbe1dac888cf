package io.weir.service.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.service.sql.Statement.AlterMaterializedView;
import io.weir.service.sql.Statement.AlterTable;
import io.weir.service.sql.Statement.Begin;
import io.weir.service.sql.Statement.Commit;
import io.weir.service.sql.Statement.CreateMaterializedView;
import io.weir.service.sql.Statement.CreateSchema;
import io.weir.service.sql.Statement.CreateTable;
import io.weir.service.sql.Statement.Delete;
import io.weir.service.sql.Statement.DescribeTable;
import io.weir.service.sql.Statement.DropMaterializedView;
import io.weir.service.sql.Statement.DropSchema;
import io.weir.service.sql.Statement.DropTable;
import io.weir.service.sql.Statement.Insert;
import io.weir.service.sql.Statement.OnViolation;
import io.weir.service.sql.Statement.PartitionTransform;
import io.weir.service.sql.Statement.Query;
import io.weir.service.sql.Statement.ShowTables;
import io.weir.service.sql.Statement.TableChange;
import io.weir.service.sql.Statement.UndropTable;
import io.weir.service.sql.Statement.Update;
import io.weir.service.sql.Statement.ViewChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SqlParserTest {

    @Test
    void aTableHasColumnsWithTypesDefaultsAndAKey() {
        CreateTable table = one(
                "CREATE TABLE IF NOT EXISTS s.t (id BIGINT PRIMARY KEY, price DECIMAL(10, 2) NOT NULL DEFAULT 1 + 1,"
                        + " tags VARCHAR[], \"Odd name\" STRUCT(a INT, b TIMESTAMP WITH TIME ZONE))",
                CreateTable.class);

        assertThat(table.name()).isEqualTo(QualifiedName.of("s", "t"));
        assertThat(table.ifNotExists()).isTrue();
        assertThat(table.primaryKey()).containsExactly("id");
        assertThat(table.columns())
                .extracting(c -> c.name() + "|" + c.type() + "|" + c.notNull())
                .containsExactly(
                        "id|BIGINT|true",
                        "price|DECIMAL(10, 2)|true",
                        "tags|VARCHAR[]|false",
                        "Odd name|STRUCT(a INT, b TIMESTAMP WITH TIME ZONE)|false");
        assertThat(table.columns().get(1).defaultValue()).map(Span::text).contains("1 + 1");
    }

    @Test
    void aTableMayBePartitionedAndHaveProperties() {
        CreateTable table = one(
                "create or replace table t (id int, at timestamp, primary key (id, at)) partitioned by"
                        + " (day(at), bucket(16, id), id, truncate(id, 4))"
                        + " with (retention = '2 hours', 'write.format.default' = 'parquet', a.b-c = 7)",
                CreateTable.class);

        assertThat(table.orReplace()).isTrue();
        assertThat(table.primaryKey()).containsExactly("id", "at");
        assertThat(table.partitioning())
                .containsExactly(
                        new PartitionTransform("day", "at", OptionalInt.empty()),
                        new PartitionTransform("bucket", "id", OptionalInt.of(16)),
                        new PartitionTransform("identity", "id", OptionalInt.empty()),
                        new PartitionTransform("truncate", "id", OptionalInt.of(4)));
        assertThat(table.properties())
                .isEqualTo(Map.of("retention", "2 hours", "write.format.default", "parquet", "a.b-c", "7"));
    }

    @Test
    void aTableCanBeMadeFromAQuery() {
        CreateTable table = one("CREATE TABLE ns.before AS SELECT id, 'a;b' AS x FROM ns.p -- end", CreateTable.class);

        assertThat(table.query()).map(Span::text).contains("SELECT id, 'a;b' AS x FROM ns.p");
    }

    @Test
    void everyKindOfAlterTableIsRead() {
        AlterTable alter = one(
                "ALTER TABLE t ADD COLUMN a INT, DROP COLUMN IF EXISTS b, RENAME COLUMN c TO d,"
                        + " ALTER COLUMN e SET DATA TYPE BIGINT, ALTER f DROP NOT NULL, SET (x = 1), UNSET (y)",
                AlterTable.class);

        assertThat(alter.changes()).hasSize(7);
        assertThat(alter.changes().get(1)).isEqualTo(new TableChange.DropColumn("b", true));
        assertThat(alter.changes().get(2)).isEqualTo(new TableChange.RenameColumn("c", "d"));
        assertThat(alter.changes().get(3))
                .isInstanceOfSatisfying(
                        TableChange.SetType.class,
                        set -> assertThat(set.type().text()).isEqualTo("BIGINT"));
        assertThat(alter.changes().get(5)).isEqualTo(new TableChange.SetProperties(Map.of("x", "1")));
        assertThat(one("ALTER TABLE t RENAME TO s.u", AlterTable.class).changes())
                .containsExactly(new TableChange.RenameTable(QualifiedName.of("s", "u")));
    }

    @Test
    void schemasAreMadeAndDropped() {
        assertThat(one("CREATE SCHEMA IF NOT EXISTS a.b", CreateSchema.class).ifNotExists())
                .isTrue();
        assertThat(one("DROP SCHEMA a CASCADE", DropSchema.class).cascade()).isTrue();
    }

    @Test
    void tablesAreDroppedPurgedAndBroughtBack() {
        assertThat(one("DROP TABLE t PURGE", DropTable.class).purge()).isTrue();
        assertThat(one("UNDROP TABLE s.t AS u", UndropTable.class).newName()).contains("u");
        assertThat(one("UNDROP TABLE s.t", UndropTable.class).newName()).isEmpty();
    }

    @Test
    void anInsertNamesItsColumnsOrNone() {
        Insert named = one("INSERT INTO t (a, b) VALUES (1, ')'), (2, NULL)", Insert.class);
        assertThat(named.columns()).containsExactly("a", "b");
        assertThat(named.query().text()).isEqualTo("VALUES (1, ')'), (2, NULL)");

        Insert bare = one("INSERT INTO t (SELECT 1)", Insert.class);
        assertThat(bare.columns()).isEmpty();
        assertThat(bare.query().text()).isEqualTo("(SELECT 1)");
    }

    @Test
    void anUpdateIsTakenApartAtItsAssignmentsFromAndWhere() {
        Update update = one(
                "UPDATE t AS x SET a = coalesce(x.a, 1), b = x.a IS DISTINCT FROM 3 FROM u WHERE x.id = u.id",
                Update.class);

        assertThat(update.alias()).contains("x");
        assertThat(update.assignments())
                .extracting(a -> a.column() + ":" + a.value())
                .containsExactly("a:coalesce(x.a, 1)", "b:x.a IS DISTINCT FROM 3");
        assertThat(update.from()).map(Span::text).contains("u");
        assertThat(update.where()).map(Span::text).contains("x.id = u.id");
    }

    @Test
    void aDeleteHasAnAliasUsingAndWhere() {
        Delete delete = one("DELETE FROM s.t x USING u WHERE x.id = u.id AND note <> 'RETURNING'", Delete.class);

        assertThat(delete.alias()).contains("x");
        assertThat(delete.using()).map(Span::text).contains("u");
        assertThat(delete.where()).map(Span::text).contains("x.id = u.id AND note <> 'RETURNING'");
        assertThat(one("DELETE FROM t", Delete.class).where()).isEmpty();
    }

    @Test
    void aMaterializedViewHasColumnsConstraintsAndOptions() {
        CreateMaterializedView view = one(
                "CREATE MATERIALIZED VIEW s.v (a, b, CONSTRAINT above CHECK (value > 0) ON VIOLATION DROP ROW,"
                        + " CONSTRAINT there EXPECT (x IN (1, 2)), CONSTRAINT sane CHECK (value < 1000),"
                        + " CONSTRAINT hard EXPECT (TRUE) ON VIOLATION FAIL)"
                        + " WITH (format_version = 3, refresh = 'incremental') AS SELECT a, b FROM t",
                CreateMaterializedView.class);

        assertThat(view.columns()).containsExactly("a", "b");
        assertThat(view.expectations())
                .extracting(e -> e.name() + " " + e.condition() + " " + e.onViolation())
                .containsExactly(
                        "above value > 0 " + OnViolation.DROP,
                        "there x IN (1, 2) " + OnViolation.KEEP,
                        "sane value < 1000 " + OnViolation.FAIL,
                        "hard TRUE " + OnViolation.FAIL);
        assertThat(view.options()).isEqualTo(Map.of("format_version", "3", "refresh", "incremental"));
        assertThat(view.query().text()).isEqualTo("SELECT a, b FROM t");
    }

    @Test
    void aViewIsAlteredAndDropped() {
        assertThat(one("ALTER MATERIALIZED VIEW v DETACH", AlterMaterializedView.class)
                        .change())
                .isEqualTo(new ViewChange.Detach());
        assertThat(one("DROP MATERIALIZED VIEW IF EXISTS v", DropMaterializedView.class)
                        .ifExists())
                .isTrue();
    }

    @Test
    void statementsAreSplitAtSemicolonsOutsideStringsAndComments() {
        List<Statement> statements =
                SqlParser.parse("BEGIN; ; INSERT INTO t VALUES (';'); -- ;\n /* ; /* nested ; */ ; */ COMMIT;");

        assertThat(statements).hasSize(3);
        assertThat(statements.get(0)).isEqualTo(new Begin());
        assertThat(statements.get(2)).isEqualTo(new Commit());
    }

    @Test
    void queriesAreLeftAsTheyWereWritten() {
        for (String query : List.of(
                "SELECT 1",
                "WITH a AS (SELECT 1) FROM a",
                "VALUES (1)",
                "FROM t SELECT x",
                "(SELECT 1) UNION ALL (SELECT 2)",
                "SELECT $$ a;b $$, $x$ $$ $x$, E'it\\'s', $name, \"semi;colon\", 1.5e-3, {'a': 1}")) {
            assertThat(one(query, Query.class).query().text()).isEqualTo(query);
        }
    }

    @Test
    void catalogQuestionsAreRead() {
        assertThat(one("SHOW TABLES FROM s", ShowTables.class).schema()).contains(QualifiedName.of("s"));
        assertThat(one("DESCRIBE s.t", DescribeTable.class).name()).isEqualTo(QualifiedName.of("s", "t"));
    }

    @Test
    void quotedNamesKeepDotsQuotesAndReservedWords() {
        DropTable drop = one("DROP TABLE \"a.b\".\"say \"\"select\"\"\"", DropTable.class);

        assertThat(drop.name()).isEqualTo(QualifiedName.of("a.b", "say \"select\""));
        assertThat(drop.name().quoted()).isEqualTo("\"a.b\".\"say \"\"select\"\"\"");
    }

    @Test
    void aSyntaxErrorSaysWhereItIsAndWhatWasExpected() {
        assertError("CREATE TABLE t (\n  id BIGINT,\n  )", "42601", "3:3", "expected a column name, found \")\"");
        assertError("CREATE TABEL t", "42601", "1:8", "expected TABLE, SCHEMA or MATERIALIZED VIEW after CREATE");
        assertError("DROP TABLE select", "42601", "1:12", "reserved word \"select\"");
        assertError("SELECT 'abc", "42601", "1:8", "this string has no end");
        assertError("UPDATE t SET a 1", "42601", "1:16", "expected \"=\", found \"1\"");
        assertError("SELECT (1", "42601", "1:10", "expected \")\"");
        assertError("FROB t", "42601", "1:1", "expected a statement");
        assertError("CREATE MATERIALIZED VIEW v (CHECK (a > 0)) AS SELECT 1", "42601", "1:29", "has no name");
    }

    @Test
    void whatIsNotThereYetIsRefusedByName() {
        assertError("MERGE INTO t USING u ON true", "0A000", "MERGE is not supported");
        assertError("CREATE VIEW v AS SELECT 1", "0A000", "CREATE VIEW is not supported");
        assertError("DELETE FROM t RETURNING id", "0A000", "RETURNING is not supported");
        assertError("CREATE TABLE t (a INT UNIQUE)", "0A000", "UNIQUE constraints");
    }

    private static <T extends Statement> T one(String sql, Class<T> type) {
        List<Statement> statements = SqlParser.parse(sql);
        assertThat(statements).hasSize(1);
        return type.cast(statements.getFirst());
    }

    private static void assertError(String sql, String code, String... words) {
        SqlException error = catchThrowableOfType(SqlException.class, () -> SqlParser.parse(sql));
        assertThat(Optional.ofNullable(error)).as(sql).isPresent();
        assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
        assertThat(error.getMessage()).contains(words);
    }
}
