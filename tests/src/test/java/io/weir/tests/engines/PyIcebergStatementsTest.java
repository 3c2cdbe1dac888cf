package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.tests.fixtures.Fixture;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * PyIceberg's own usual calls through the catalog, on a lake on S3. It starts in seconds: the suite {@code python} is this
 * class alone, for where the other engines are too much.
 */
@Tag("engines")
@Tag("python")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PyIcebergStatementsTest {
    private final ServedLake lake = new ServedLake("python");
    private final Fixture<PyIcebergEngine> python = new Fixture<>(() -> PyIcebergEngine.start(lake.address()));

    @AfterAll
    void stop() {
        python.close();
        lake.close();
    }

    private List<List<Object>> run(String code) {
        return python.get().run(code).rows();
    }

    @Test
    void namespacesAreMadeDescribedChangedListedAndDropped() {
        assertThat(run("""
                from pyiceberg.exceptions import NamespaceAlreadyExistsError, NamespaceNotEmptyError
                catalog.create_namespace("spaces", {"a": "1"})
                catalog.create_namespace(("spaces", "inner"))
                try:
                    catalog.create_namespace("spaces")
                except NamespaceAlreadyExistsError:
                    rows.append(["there already"])
                try:
                    catalog.drop_namespace("spaces")
                except NamespaceNotEmptyError:
                    rows.append(["not empty"])
                changed = catalog.update_namespace_properties("spaces", {"a", "none"}, {"b": "2"})
                rows.append([changed.updated[0], changed.removed[0], changed.missing[0]])
                rows.append([str(catalog.load_namespace_properties("spaces"))])
                rows.append([str(catalog.list_namespaces("spaces")), ("spaces",) in catalog.list_namespaces()])
                catalog.drop_namespace(("spaces", "inner"))
                catalog.drop_namespace("spaces")
                rows.append([catalog.namespace_exists("spaces")])
                """))
                .containsExactly(
                        List.of("there already"),
                        List.of("not empty"),
                        List.of("b", "a", "none"),
                        List.of("{'b': '2'}"),
                        List.of("[('spaces', 'inner')]", true),
                        List.of(false));
    }

    @Test
    void tablesAreMadeAtOnceAndInATransactionWithTheirRows() {
        assertThat(run("""
                from pyiceberg.exceptions import TableAlreadyExistsError
                catalog.create_namespace("made")
                first = pa.Table.from_pylist([{"id": 1, "name": "a"}, {"id": 2, "name": None}])
                catalog.create_table("made.t", first.schema, properties={"k": "v"}).append(first)
                with catalog.create_table_transaction("made.c", first.schema) as transaction:
                    transaction.append(first)
                try:
                    catalog.create_table("made.t", first.schema)
                except TableAlreadyExistsError:
                    rows.append(["there already"])
                rows.append([catalog.create_table_if_not_exists("made.t", first.schema).properties["k"]])
                rows.append([catalog.load_table("made.c").scan(row_filter="id = 2").to_arrow().num_rows])
                catalog.rename_table("made.c", "made.d")
                rows.append(sorted(name for _, name in catalog.list_tables("made")))
                rows.append([catalog.table_exists("made.c"), catalog.table_exists("made.d")])
                """))
                .containsExactly(
                        List.of("there already"), List.of("v"), List.of(1L), List.of("d", "t"), List.of(false, true));
    }

    @Test
    void schemasPartitionsOrdersAndPropertiesEvolve() {
        assertThat(run("""
                from pyiceberg.transforms import IdentityTransform
                from pyiceberg.types import DoubleType, LongType, StringType
                catalog.create_namespace("evolving")
                kind = pa.schema([("id", pa.int64()), ("name", pa.string()), ("p", pa.struct([("x", pa.int32())]))])
                table = catalog.create_table("evolving.t", kind)
                table.append(pa.Table.from_pylist([{"id": 1, "name": "a", "p": {"x": 1}}], schema=kind))
                with table.update_schema() as update:
                    update.add_column("extra", StringType())
                    update.add_column(("p", "y"), DoubleType())
                    update.update_column(("p", "x"), LongType())
                    update.rename_column("name", "title")
                with table.update_schema() as update:
                    update.delete_column("extra")
                    update.move_first("title")
                    update.union_by_name(pa.schema([("added", pa.int32())]))
                with table.update_spec() as update:
                    update.add_field("title", IdentityTransform(), "title")
                with table.update_sort_order() as update:
                    update.asc("id", IdentityTransform())
                with table.transaction() as transaction:
                    transaction.set_properties(k="v", l="w")
                    transaction.remove_properties("l")
                table.append(pa.Table.from_pylist([{"id": 2, "title": "b", "p": {"x": 2, "y": 0.5}}],
                                                  schema=table.schema().as_arrow()))
                loaded = catalog.load_table("evolving.t")
                rows.append([field.name for field in loaded.schema().fields])
                rows.append([loaded.spec().fields[0].name, loaded.sort_order().fields[0].source_id,
                             loaded.properties["k"], "l" in loaded.properties])
                for row in sorted(loaded.scan().to_arrow().to_pylist(), key=lambda row: row["id"]):
                    rows.append([row["id"], row["title"], row["p"]["x"], row["p"]["y"], row["added"]])
                """))
                .containsExactly(
                        List.of("title", "id", "p", "added"),
                        List.of("title", 1L, "v", false),
                        Arrays.asList(1L, "a", 1L, null, null),
                        Arrays.asList(2L, "b", 2L, 0.5, null));
    }

    @Test
    void branchesTagsAndThePastAreMadeWrittenReadRolledBackToAndExpired() {
        assertThat(run("""
                catalog.create_namespace("past")
                one = pa.Table.from_pylist([{"id": 1}])
                table = catalog.create_table("past.t", one.schema)
                table.append(one)
                first = table.current_snapshot().snapshot_id
                with table.manage_snapshots() as manage:
                    manage.create_branch(first, "audit")
                    manage.create_tag(first, "start")
                table.append(pa.Table.from_pylist([{"id": 2}]))
                table.append(pa.Table.from_pylist([{"id": 3}, {"id": 4}]), branch="audit")
                def count(**scan):
                    return table.scan(**scan).to_arrow().num_rows
                rows.append([count(), count(snapshot_id=first), table.scan().use_ref("audit").to_arrow().num_rows,
                             table.scan().use_ref("start").to_arrow().num_rows])
                rows.append(sorted(table.refs()))
                with table.manage_snapshots() as manage:
                    manage.rollback_to_snapshot(first)
                rows.append([count()])
                with table.manage_snapshots() as manage:
                    manage.remove_branch("audit")
                    manage.remove_tag("start")
                import datetime
                table.maintenance.expire_snapshots().older_than(datetime.datetime(2100, 1, 1)).commit()
                table.refresh()
                rows.append([count(), len(table.snapshots()), table.inspect.snapshots().num_rows])
                """))
                .containsExactly(
                        List.of(2L, 1L, 3L, 1L), List.of("audit", "main", "start"), List.of(1L), List.of(1L, 1L, 1L));
    }

    @Test
    void aDroppedAndAPurgedTableAreBothKeptForTheirRetention() {
        run("""
                catalog.create_namespace("dropped")
                one = pa.Table.from_pylist([{"id": 1}])
                for name in ("dropped.t", "dropped.p"):
                    catalog.create_table(name, one.schema).append(one)
                catalog.drop_table("dropped.t")
                catalog.purge_table("dropped.p")
                """);
        assertThat(lake.dropped("dropped")).containsExactly("p", "t");
        assertThat(run("rows.append([len(catalog.list_tables('dropped'))])")).containsExactly(List.of(0L));
        lake.weir().sql("UNDROP TABLE dropped.t; UNDROP TABLE dropped.p AS q");
        assertThat(run("""
                for name in ("dropped.t", "dropped.q"):
                    rows.append([catalog.load_table(name).scan().to_arrow().num_rows])
                """)).containsExactly(List.of(1L), List.of(1L));
        assertThatThrownBy(() -> run("catalog.drop_table('dropped.none')")).hasMessageContaining("NoSuchTableError");
    }

    @Test
    void aTableIsRegisteredFromItsMetadataFile() {
        run("""
                catalog.create_namespace("registered")
                one = pa.Table.from_pylist([{"id": 1}])
                catalog.create_table("registered.t", one.schema).append(one)
                """);
        String file = run("rows.append([catalog.load_table('registered.t').metadata_location])")
                .getFirst()
                .getFirst()
                .toString();
        String register =
                "rows.append([catalog.register_table('registered.again', '" + file + "').scan().to_arrow().num_rows])";
        assertThatThrownBy(() -> run(register)).hasMessageContaining("overlaps that of");
        lake.weir().sql("DROP TABLE registered.t PURGE");
        assertThat(run(register)).containsExactly(List.of(1L));
    }

    @Test
    void viewsOfTheCatalogAreMadeListedReadAndDropped() {
        assertThat(run("""
                from pyiceberg.schema import Schema
                from pyiceberg.types import LongType, NestedField
                from pyiceberg.view.metadata import ViewVersion
                catalog.create_namespace("seen")
                def representation(dialect):
                    return {"type": "sql", "sql": f"SELECT 1 AS id -- of {dialect}", "dialect": dialect}
                catalog.create_view("seen.v", Schema(NestedField(1, "id", LongType())),
                    ViewVersion(version_id=1, schema_id=1, timestamp_ms=0, summary={}, default_namespace=["seen"],
                                representations=[representation("spark"), representation("trino")]))
                rows.append([catalog.view_exists("seen.v"), str(catalog.list_views("seen"))])
                loaded = catalog.load_view("seen.v")
                rows.append([loaded.sql_for("spark").sql, loaded.sql_for("trino").sql])
                catalog.drop_view("seen.v")
                rows.append([catalog.view_exists("seen.v")])
                """))
                .containsExactly(
                        List.of(true, "[('seen', 'v')]"),
                        List.of("SELECT 1 AS id -- of spark", "SELECT 1 AS id -- of trino"),
                        List.of(false));
    }

    @Test
    void aFlowFollowsPyIcebergThroughSchemasPartitionsAndExpiry() {
        FlowUnderTest flow = new FlowUnderTest("flowing");
        PyIcebergEngine writer = python.get();
        writer.createNamespace("flowing");
        writer.create(
                flow.events(), List.of(List.of("id", "long"), List.of("region", "string"), List.of("amount", "int")));
        writer.append(flow.events(), List.of(Map.of("id", 1, "region", "north", "amount", 10)));
        flow.create(lake.weir());
        String table = "table = catalog.load_table('flowing.events')\n";
        for (String code : List.of(
                "from pyiceberg.types import StringType\n"
                        + "with table.update_schema() as update:\n    update.add_column('note', StringType())",
                "with table.update_schema() as update:\n    update.move_first('note')",
                "from pyiceberg.types import LongType\n"
                        + "with table.update_schema() as update:\n    update.update_column('amount', LongType())",
                "table.append(pa.Table.from_pylist([{'id': 2, 'region': 'south', 'amount': 3000000000}],"
                        + " schema=table.schema().as_arrow()))",
                "with table.update_spec() as update:\n    update.add_identity('region')",
                "table.append(pa.Table.from_pylist([{'id': 3, 'region': 'south', 'amount': 4}],"
                        + " schema=table.schema().as_arrow()))",
                "import datetime\n"
                        + "table.maintenance.expire_snapshots().older_than(datetime.datetime(2100, 1, 1)).commit()",
                "table.delete('id = 2')",
                "with table.update_schema() as update:\n    update.delete_column('note')")) {
            run(table + code);
            flow.assertMovedByScan(lake.weir(), code, writer);
            lake.assertCurrent("flowing");
        }
        for (String refused : List.of(
                "with table.update_schema() as update:\n    update.rename_column('region', 'area')",
                "with table.update_schema() as update:\n    update.delete_column('amount')",
                "catalog.drop_table('flowing.events')",
                "catalog.purge_table('flowing.events')")) {
            assertThatThrownBy(() -> run(table + refused)).as(refused).hasMessageContaining("flowing.clean");
        }
        assertThatThrownBy(() -> run("catalog.purge_table('flowing.totals')"))
                .hasMessageContaining("DROP MATERIALIZED VIEW");
        writer.append(flow.events(), List.of(Map.of("id", 4, "region", "west", "amount", 1)));
        flow.assertMovedByScan(lake.weir(), "an append after the refusals", writer);
    }
}
