package io.weir.service.statement;

import io.weir.coordinator.Action;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.DroppedTable;
import io.weir.coordinator.Lake;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.engine.CheckedSql;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.service.rows.CapturedCommit;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.Span;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement.AlterTable;
import io.weir.service.sql.Statement.ColumnDefinition;
import io.weir.service.sql.Statement.CreateSchema;
import io.weir.service.sql.Statement.CreateTable;
import io.weir.service.sql.Statement.DropSchema;
import io.weir.service.sql.Statement.DropTable;
import io.weir.service.sql.Statement.TableChange;
import io.weir.service.sql.Statement.UndropTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Statements about schemas and tables, as actions for the coordinator. Whether they may happen is its decision. */
final class TableStatements {
    private final Lake lake;
    private final Engine engine;
    private final LakeReader reader;
    private final NewTables newTables;
    private final RowStatements rows;
    private final DataFileWriter writer;

    TableStatements(
            Lake lake,
            Engine engine,
            LakeReader reader,
            NewTables newTables,
            RowStatements rows,
            DataFileWriter writer) {
        this.lake = lake;
        this.engine = engine;
        this.reader = reader;
        this.newTables = newTables;
        this.rows = rows;
        this.writer = writer;
    }

    Change createSchema(CreateSchema create, ReadPoint point) {
        if (create.ifNotExists()
                && point.names().namespace(create.name().parts()).isPresent()) {
            return Change.nothing();
        }
        Names.refuseSystem(create.name().parts());
        return Change.of(
                new Action.CreateNamespace(Namespace.of(create.name().parts().toArray(String[]::new)), Map.of()));
    }

    Change dropSchema(DropSchema drop, ReadPoint point) {
        Names.refuseSystem(drop.name().parts());
        Optional<Namespace> found = point.names().namespace(drop.name().parts());
        if (found.isEmpty() && drop.ifExists()) {
            return Change.nothing();
        }
        Namespace namespace = point.names().existingNamespace(drop.name().parts());
        var actions = new ArrayList<Action>();
        if (drop.cascade()) {
            List<Namespace> all = within(point.state(), namespace);
            actions.addAll(dropAll(point.state(), all));
            all.stream()
                    .filter(n -> !n.equals(namespace))
                    .sorted(Comparator.comparingInt(Namespace::length).reversed())
                    .forEach(n -> actions.add(new Action.DropNamespace(n)));
        }
        actions.add(new Action.DropNamespace(namespace));
        return new Change(actions, 0, List.of());
    }

    private static List<Namespace> within(CatalogState state, Namespace parent) {
        List<String> levels = List.of(parent.levels());
        return state.namespaces().keySet().stream()
                .filter(n -> n.length() >= levels.size()
                        && List.of(n.levels()).subList(0, levels.size()).equals(levels))
                .toList();
    }

    /** Everything in the namespaces, followers before what they follow. */
    private static List<Action> dropAll(CatalogState state, List<Namespace> namespaces) {
        var left = new ArrayList<TableEntry>();
        namespaces.forEach(namespace -> left.addAll(state.tables(namespace)));
        var actions = new ArrayList<Action>();
        namespaces.forEach(namespace ->
                state.logicalViews(namespace).forEach(view -> actions.add(new Action.DropView(view.name()))));
        while (!left.isEmpty()) {
            TableEntry next = left.stream()
                    .filter(table -> left.stream()
                            .noneMatch(other -> other.flow()
                                    .filter(flow -> flow.reads(table.id()))
                                    .isPresent()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("views follow each other in a circle"));
            left.remove(next);
            actions.add(next.isView() ? new Action.DropFlow(next.name()) : new Action.DropTable(next.name(), false));
        }
        return actions;
    }

    Change createTable(CreateTable create, ReadPoint point) {
        Optional<TableEntry> existing = point.names().table(create.name());
        if (existing.isPresent() && create.ifNotExists()) {
            return Change.nothing();
        }
        TableIdentifier name = point.names().newTable(create.name());
        var actions = new ArrayList<Action>();
        if (existing.isPresent() && create.orReplace()) {
            actions.add(new Action.DropTable(existing.get().name(), false));
        }
        if (create.query().isEmpty()) {
            Schema schema = newTables.schema(create.columns(), create.primaryKey(), point);
            TableMetadata metadata = newTables.metadata(name, schema, create.partitioning(), create.properties());
            actions.add(new Action.CreateTable(name, metadata));
            return new Change(actions, 0, List.of());
        }
        return createFromQuery(create, name, create.query().get(), point, actions);
    }

    private Change createFromQuery(
            CreateTable create, TableIdentifier name, Span query, ReadPoint point, List<Action> actions) {
        try (EngineSession session = engine.session()) {
            CheckedSql checked = reader.open(session, query.text(), point);
            Schema schema = create.columns().isEmpty()
                    ? NewTables.schema(
                            session.describe(checked.sql()), Set.copyOf(create.primaryKey()), create.primaryKey())
                    : newTables.schema(create.columns(), create.primaryKey(), point);
            TableMetadata metadata = newTables.metadata(name, schema, create.partitioning(), create.properties());
            actions.add(new Action.CreateTable(name, metadata));
            List<DataFile> files =
                    writer.write(session, metadata, renamed(checked.sql(), metadata.schema()), metadata.schema());
            Change rowsAdded = rows.append(name, metadata, files);
            actions.addAll(rowsAdded.actions());
            return new Change(actions, rowsAdded.rows(), rowsAdded.files());
        }
    }

    private static String renamed(String sql, Schema schema) {
        List<String> names = schema.columns().stream()
                .map(field -> QualifiedName.quote(field.name()))
                .toList();
        return "SELECT * FROM (" + sql + ") AS q(" + String.join(", ", names) + ")";
    }

    Change dropTable(DropTable drop, ReadPoint point) {
        Names.refuseSystem(drop.name().schema());
        Optional<TableEntry> table = point.names().table(drop.name());
        if (table.isEmpty() && drop.ifExists()) {
            return Change.nothing();
        }
        return Change.of(
                new Action.DropTable(point.names().existingTable(drop.name()).name(), drop.purge()));
    }

    Change undropTable(UndropTable undrop, ReadPoint point) {
        Namespace namespace = point.names().existingNamespace(undrop.name().schema());
        TableIdentifier name = TableIdentifier.of(namespace, undrop.name().name());
        Optional<TableEntry> kept = point.state().dropped().stream()
                .map(DroppedTable::table)
                .filter(dropped -> dropped.name().toString().equalsIgnoreCase(name.toString()))
                .reduce((earlier, later) ->
                        earlier.name().equals(name) && !later.name().equals(name) ? earlier : later);
        kept.ifPresent(table -> MissingFiles.refuseUndrop(lake, table));
        TableIdentifier found = kept.map(TableEntry::name).orElse(name);
        return Change.of(
                new Action.UndropTable(found, undrop.newName().map(newName -> TableIdentifier.of(namespace, newName))));
    }

    Change alterTable(AlterTable alter, ReadPoint point) {
        Names.refuseSystem(alter.name().schema());
        Optional<TableEntry> found = point.names().table(alter.name());
        if (found.isEmpty() && alter.ifExists()) {
            return Change.nothing();
        }
        TableEntry table = point.names().existingTable(alter.name());
        var actions = new ArrayList<Action>();
        TableIdentifier name = table.name();
        var commit = new CapturedCommit(point.metadata(table), lake.io());
        for (TableChange change : alter.changes()) {
            if (change instanceof TableChange.RenameTable rename) {
                QualifiedName to = rename.newName();
                Namespace namespace = to.schema().isEmpty()
                        ? name.namespace()
                        : point.names().newTable(to).namespace();
                actions.add(new Action.RenameTable(table.name(), TableIdentifier.of(namespace, to.name())));
            } else {
                try {
                    apply(change, commit.table(), point);
                } catch (IllegalArgumentException | ValidationException e) {
                    throw new SqlException("42P16", "the table cannot be altered so: " + e.getMessage(), "", e);
                }
            }
        }
        if (!commit.updates().isEmpty()) {
            actions.addFirst(new Action.UpdateTable(table.name(), commit.requirements(), commit.updates()));
        }
        return new Change(actions, 0, List.of());
    }

    private void apply(TableChange change, Table table, ReadPoint point) {
        switch (change) {
            case TableChange.AddColumn add -> {
                boolean there =
                        table.schema().caseInsensitiveFindField(add.column().name()) != null;
                if (there && add.ifNotExists()) {
                    return;
                }
                if (there) {
                    throw new SqlException(
                            "42701", "column " + add.column().name() + " already exists", "Choose another name.");
                }
                if (add.column().notNull()) {
                    throw new SqlException(
                            "0A000",
                            "a NOT NULL column cannot be added: the rows there are have no value for it",
                            "Leave NOT NULL out.");
                }
                Schema one = newTables.schema(List.of(add.column()), List.of(), point);
                Types.NestedField field = one.columns().getFirst();
                table.updateSchema().addColumn(field.name(), field.type()).commit();
            }
            case TableChange.DropColumn drop -> {
                Optional<String> column = columnName(table, drop.column(), drop.ifExists());
                column.ifPresent(name -> table.updateSchema().deleteColumn(name).commit());
            }
            case TableChange.RenameColumn rename ->
                table.updateSchema()
                        .renameColumn(existing(table, rename.column()), rename.newName())
                        .commit();
            case TableChange.SetType set -> setType(set, table, point);
            case TableChange.DropNotNull drop ->
                table.updateSchema()
                        .makeColumnOptional(existing(table, drop.column()))
                        .commit();
            case TableChange.SetNotNull set ->
                throw new SqlException(
                        "0A000",
                        "column " + set.column() + " cannot be made NOT NULL: rows there are may hold NULL",
                        "Make a new table with CREATE TABLE.");
            case TableChange.SetProperties set -> {
                UpdateProperties update = table.updateProperties();
                set.properties().forEach((key, value) -> update.set(NewTables.propertyName(key), value));
                newTables.properties(set.properties());
                update.commit();
            }
            case TableChange.UnsetProperties unset -> {
                UpdateProperties update = table.updateProperties();
                unset.names().forEach(name -> update.remove(NewTables.propertyName(name)));
                update.commit();
            }
            case TableChange.RenameTable _ -> throw new IllegalStateException("renames are actions of their own");
        }
    }

    private void setType(TableChange.SetType set, Table table, ReadPoint point) {
        String column = existing(table, set.column());
        var definition = new ColumnDefinition(column, set.type(), false, Optional.empty());
        Type type = newTables
                .schema(List.of(definition), List.of(), point)
                .columns()
                .getFirst()
                .type();
        UpdateSchema update = table.updateSchema();
        if (!type.isPrimitiveType()) {
            throw new SqlException("0A000", "the type of a nested column cannot be changed", "Add a column instead.");
        }
        update.updateColumn(column, type.asPrimitiveType()).commit();
    }

    private static String existing(Table table, String column) {
        return columnName(table, column, false).orElseThrow();
    }

    private static Optional<String> columnName(Table table, String column, boolean ifExists) {
        Optional<String> found = table.schema().columns().stream()
                .map(Types.NestedField::name)
                .filter(column::equalsIgnoreCase)
                .findFirst();
        if (found.isEmpty() && !ifExists) {
            throw new SqlException("42703", "column " + column + " does not exist", "DESCRIBE lists the columns.");
        }
        return found;
    }
}
