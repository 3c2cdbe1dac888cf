package io.weir.service.sql;

import io.weir.service.sql.Statement.AlterTable;
import io.weir.service.sql.Statement.ColumnDefinition;
import io.weir.service.sql.Statement.CreateSchema;
import io.weir.service.sql.Statement.CreateTable;
import io.weir.service.sql.Statement.DropSchema;
import io.weir.service.sql.Statement.DropTable;
import io.weir.service.sql.Statement.PartitionTransform;
import io.weir.service.sql.Statement.TableChange;
import io.weir.service.sql.Statement.UndropTable;
import io.weir.service.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The grammar of statements about schemas and tables. The cursor stands after CREATE TABLE, DROP SCHEMA and so on. */
final class TableGrammar {
    private static final Set<String> TYPE_ENDS =
            Set.of("NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "GENERATED", "COLLATE");

    private final TokenCursor cursor;

    TableGrammar(TokenCursor cursor) {
        this.cursor = cursor;
    }

    CreateSchema createSchema() {
        boolean ifNotExists = cursor.acceptIfNotExists();
        return new CreateSchema(cursor.qualifiedName("a schema name"), ifNotExists);
    }

    DropSchema dropSchema() {
        boolean ifExists = cursor.acceptIfExists();
        QualifiedName name = cursor.qualifiedName("a schema name");
        boolean cascade = cursor.accept("CASCADE");
        if (!cascade) {
            cursor.accept("RESTRICT");
        }
        return new DropSchema(name, ifExists, cascade);
    }

    DropTable dropTable() {
        boolean ifExists = cursor.acceptIfExists();
        QualifiedName name = cursor.qualifiedName("a table name");
        return new DropTable(name, ifExists, cursor.accept("PURGE"));
    }

    UndropTable undropTable() {
        cursor.expect("UNDROP", "TABLE");
        QualifiedName name = cursor.qualifiedName("a table name");
        return new UndropTable(
                name, cursor.accept("AS") ? Optional.of(cursor.identifier("the new name")) : Optional.empty());
    }

    CreateTable createTable(boolean orReplace) {
        boolean ifNotExists = cursor.acceptIfNotExists();
        QualifiedName name = cursor.qualifiedName("a table name");
        var columns = new ArrayList<ColumnDefinition>();
        var primaryKey = new ArrayList<String>();
        if (cursor.acceptSymbol("(")) {
            do {
                element(columns, primaryKey);
            } while (cursor.acceptSymbol(","));
            cursor.expectSymbol(")");
        }
        List<PartitionTransform> partitioning = List.of();
        Map<String, String> properties = Map.of();
        while (true) {
            if (cursor.accept("PARTITIONED", "BY")) {
                partitioning = partitioning();
            } else if (cursor.sees("WITH") && cursor.peek(1).isSymbol("(")) {
                cursor.take();
                properties = Properties.list(cursor, "a property");
            } else {
                break;
            }
        }
        Optional<Span> query = Optional.empty();
        if (cursor.accept("AS")) {
            query = Optional.of(cursor.rest("a query"));
        } else if (columns.isEmpty()) {
            throw cursor.expected("\"(\" with the columns, or AS with a query");
        }
        return new CreateTable(name, orReplace, ifNotExists, columns, primaryKey, partitioning, properties, query);
    }

    private void element(List<ColumnDefinition> columns, List<String> primaryKey) {
        if (cursor.accept("CONSTRAINT")) {
            cursor.identifier("the constraint's name");
        }
        if (cursor.accept("PRIMARY", "KEY")) {
            setKey(primaryKey, cursor.identifierList("a column name"));
            return;
        }
        Token next = cursor.peek();
        for (String kind : List.of("UNIQUE", "CHECK", "FOREIGN")) {
            if (next.is(kind)) {
                throw notATableConstraint(kind);
            }
        }
        if (next.is("ATTRIBUTE")) {
            throw new SqlException("0A000", "ATTRIBUTE GROUP is not supported");
        }
        columns.add(column(primaryKey));
    }

    private static SqlException notATableConstraint(String kind) {
        return new SqlException(
                "0A000",
                kind + " constraints on tables are not supported",
                "Tables have PRIMARY KEY and NOT NULL; conditions on rows stand on a materialized view.");
    }

    private void setKey(List<String> primaryKey, List<String> columns) {
        if (!primaryKey.isEmpty()) {
            throw cursor.error("the table has two primary keys", "Write PRIMARY KEY (a, b) for a key of two columns.");
        }
        primaryKey.addAll(columns);
    }

    private ColumnDefinition column(List<String> primaryKey) {
        String name = cursor.identifier("a column name");
        Span type = type();
        boolean notNull = false;
        Optional<Span> defaultValue = Optional.empty();
        while (true) {
            if (cursor.accept("NOT", "NULL")) {
                notNull = true;
            } else if (cursor.accept("NULL")) {
                notNull = false;
            } else if (cursor.accept("PRIMARY", "KEY")) {
                setKey(primaryKey, List.of(name));
                notNull = true;
            } else if (cursor.accept("DEFAULT")) {
                defaultValue = Optional.of(cursor.span(
                        "a default value", token -> token.isSymbol(",") || token.is("NOT") || token.is("PRIMARY")));
            } else if (cursor.sees("UNIQUE") || cursor.sees("CHECK")) {
                throw notATableConstraint(cursor.peek().upper());
            } else {
                return new ColumnDefinition(name, type, notNull, defaultValue);
            }
        }
    }

    private Span type() {
        return cursor.span(
                "a type",
                token -> token.isSymbol(",") || (token.kind() == Kind.WORD && TYPE_ENDS.contains(token.upper())));
    }

    private List<PartitionTransform> partitioning() {
        cursor.expectSymbol("(");
        var transforms = new ArrayList<PartitionTransform>();
        do {
            transforms.add(transform());
        } while (cursor.acceptSymbol(","));
        cursor.expectSymbol(")");
        return transforms;
    }

    private PartitionTransform transform() {
        String name = cursor.identifier("a column or a transform");
        if (!cursor.acceptSymbol("(")) {
            return new PartitionTransform("identity", name, OptionalInt.empty());
        }
        OptionalInt width = OptionalInt.empty();
        if (cursor.peek().kind() == Kind.NUMBER) {
            width = width();
            cursor.expectSymbol(",");
        }
        String column = cursor.identifier("a column name");
        if (width.isEmpty() && cursor.acceptSymbol(",")) {
            width = width();
        }
        cursor.expectSymbol(")");
        return new PartitionTransform(name.toLowerCase(Locale.ROOT), column, width);
    }

    private OptionalInt width() {
        try {
            OptionalInt width = OptionalInt.of(Integer.parseInt(cursor.peek().text()));
            cursor.take();
            return width;
        } catch (NumberFormatException e) {
            throw cursor.expected("a whole number");
        }
    }

    AlterTable alterTable() {
        boolean ifExists = cursor.acceptIfExists();
        QualifiedName name = cursor.qualifiedName("a table name");
        var changes = new ArrayList<TableChange>();
        do {
            changes.add(change());
        } while (cursor.acceptSymbol(","));
        return new AlterTable(name, ifExists, changes);
    }

    private TableChange change() {
        if (cursor.accept("ADD")) {
            cursor.accept("COLUMN");
            boolean ifNotExists = cursor.acceptIfNotExists();
            var key = new ArrayList<String>();
            ColumnDefinition column = column(key);
            if (!key.isEmpty()) {
                throw new SqlException("0A000", "a primary key cannot be added to a table");
            }
            return new TableChange.AddColumn(column, ifNotExists);
        }
        if (cursor.accept("DROP")) {
            cursor.accept("COLUMN");
            boolean ifExists = cursor.acceptIfExists();
            return new TableChange.DropColumn(cursor.identifier("a column name"), ifExists);
        }
        if (cursor.accept("RENAME", "TO")) {
            return new TableChange.RenameTable(cursor.qualifiedName("the new name"));
        }
        if (cursor.accept("RENAME")) {
            cursor.accept("COLUMN");
            String column = cursor.identifier("a column name");
            cursor.expect("TO");
            return new TableChange.RenameColumn(column, cursor.identifier("the new name"));
        }
        if (cursor.accept("ALTER")) {
            cursor.accept("COLUMN");
            return columnChange(cursor.identifier("a column name"));
        }
        if (cursor.accept("UNSET")) {
            acceptPropertiesWord();
            return new TableChange.UnsetProperties(Properties.names(cursor));
        }
        if (cursor.accept("SET")) {
            acceptPropertiesWord();
            return new TableChange.SetProperties(Properties.list(cursor, "a property"));
        }
        throw cursor.expected("ADD, DROP, RENAME, ALTER, SET or UNSET");
    }

    private void acceptPropertiesWord() {
        if (!cursor.accept("PROPERTIES")) {
            cursor.accept("TBLPROPERTIES");
        }
    }

    private TableChange columnChange(String column) {
        if (cursor.accept("SET", "DATA", "TYPE") || cursor.accept("TYPE") || cursor.accept("SET", "TYPE")) {
            return new TableChange.SetType(column, type());
        }
        if (cursor.accept("SET", "NOT", "NULL")) {
            return new TableChange.SetNotNull(column);
        }
        if (cursor.accept("DROP", "NOT", "NULL")) {
            return new TableChange.DropNotNull(column);
        }
        throw cursor.expected("SET DATA TYPE, SET NOT NULL or DROP NOT NULL");
    }
}
