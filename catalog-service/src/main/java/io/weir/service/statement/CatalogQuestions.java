package io.weir.service.statement;

import io.weir.incremental.engine.Column;
import io.weir.incremental.engine.DuckTypes;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement.DescribeTable;
import io.weir.service.sql.Statement.ShowTables;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;

/** SHOW and DESCRIBE: answers from the state alone. */
final class CatalogQuestions {
    private CatalogQuestions() {}

    record Answer(List<Column> columns, List<List<Object>> rows) {}

    private static List<Column> text(String... names) {
        return Arrays.stream(names).map(name -> new Column(name, "VARCHAR")).toList();
    }

    static Answer schemas(ReadPoint point) {
        return new Answer(
                text("schema"),
                point.state().namespaces().keySet().stream()
                        .map(Names::schema)
                        .sorted()
                        .map(schema -> List.<Object>of(schema))
                        .toList());
    }

    static Answer tables(ShowTables show, ReadPoint point) {
        List<Namespace> namespaces = show.schema().isPresent()
                ? List.of(point.names().existingNamespace(show.schema().get().parts()))
                : List.copyOf(point.state().namespaces().keySet());
        Stream<List<Object>> tables = namespaces.stream()
                .flatMap(namespace -> point.state().tables(namespace).stream())
                .map(table -> List.of(
                        Names.schema(table.name().namespace()), table.name().name(), table.kind()));
        Stream<List<Object>> views = namespaces.stream()
                .flatMap(namespace -> point.state().logicalViews(namespace).stream())
                .map(view -> List.of(
                        Names.schema(view.name().namespace()), view.name().name(), "view"));
        return new Answer(
                text("schema", "name", "kind"),
                Stream.concat(tables, views)
                        .sorted(Comparator.comparing(row -> row.get(0) + "\u0000" + row.get(1)))
                        .toList());
    }

    static Answer describe(DescribeTable describe, ReadPoint point) {
        Schema schema = schema(describe.name(), point);
        Set<String> key = schema.identifierFieldNames();
        return new Answer(
                text("column_name", "column_type", "null", "key"),
                schema.columns().stream()
                        .map(field -> Arrays.<Object>asList(
                                field.name(),
                                DuckTypes.toDuck(field.type()),
                                field.isOptional() ? "YES" : "NO",
                                key.contains(field.name()) ? "PRI" : null))
                        .toList());
    }

    private static Schema schema(QualifiedName name, ReadPoint point) {
        if (name.schema().equals(List.of(Names.SYSTEM))) {
            return SystemTables.named(name.name())
                    .orElseThrow(() -> new SqlException("42P01", "table " + name + " does not exist"))
                    .schema();
        }
        return point.metadata(point.names().existingTable(name)).schema();
    }
}
