package io.weir.service.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A statement as it was written. Queries, expressions and types inside stay text ({@link Span}): DuckDB parses those.
 * Nothing here says whether what a statement names exists.
 */
public sealed interface Statement {

    record CreateSchema(QualifiedName name, boolean ifNotExists) implements Statement {}

    record DropSchema(QualifiedName name, boolean ifExists, boolean cascade) implements Statement {}

    record CreateTable(
            QualifiedName name,
            boolean orReplace,
            boolean ifNotExists,
            List<ColumnDefinition> columns,
            List<String> primaryKey,
            List<PartitionTransform> partitioning,
            Map<String, String> properties,
            Optional<Span> query)
            implements Statement {
        public CreateTable {
            columns = List.copyOf(columns);
            primaryKey = List.copyOf(primaryKey);
            partitioning = List.copyOf(partitioning);
            properties = Map.copyOf(properties);
        }
    }

    record ColumnDefinition(String name, Span type, boolean notNull, Optional<Span> defaultValue) {}

    /** {@code bucket(16, id)} is (bucket, id, 16); a bare column is (identity, column). */
    record PartitionTransform(String transform, String column, OptionalInt width) {}

    record DropTable(QualifiedName name, boolean ifExists, boolean purge) implements Statement {}

    record UndropTable(QualifiedName name, Optional<String> newName) implements Statement {}

    record AlterTable(QualifiedName name, boolean ifExists, List<TableChange> changes) implements Statement {
        public AlterTable {
            changes = List.copyOf(changes);
        }
    }

    sealed interface TableChange {
        record AddColumn(ColumnDefinition column, boolean ifNotExists) implements TableChange {}

        record DropColumn(String column, boolean ifExists) implements TableChange {}

        record RenameColumn(String column, String newName) implements TableChange {}

        record SetType(String column, Span type) implements TableChange {}

        record SetNotNull(String column) implements TableChange {}

        record DropNotNull(String column) implements TableChange {}

        record RenameTable(QualifiedName newName) implements TableChange {}

        record SetProperties(Map<String, String> properties) implements TableChange {
            public SetProperties {
                properties = Map.copyOf(properties);
            }
        }

        record UnsetProperties(List<String> names) implements TableChange {
            public UnsetProperties {
                names = List.copyOf(names);
            }
        }
    }

    /** {@code columns} is empty when none were named: all of the table's, in its order. */
    record Insert(QualifiedName table, List<String> columns, Span query) implements Statement {
        public Insert {
            columns = List.copyOf(columns);
        }
    }

    record Update(
            QualifiedName table,
            Optional<String> alias,
            List<Assignment> assignments,
            Optional<Span> from,
            Optional<Span> where)
            implements Statement {
        public Update {
            assignments = List.copyOf(assignments);
        }
    }

    record Assignment(String column, Span value) {}

    record Delete(QualifiedName table, Optional<String> alias, Optional<Span> using, Optional<Span> where)
            implements Statement {}

    record Query(Span query) implements Statement {}

    record Explain(Span query) implements Statement {}

    record ShowSchemas() implements Statement {}

    record ShowTables(Optional<QualifiedName> schema) implements Statement {}

    record DescribeTable(QualifiedName name) implements Statement {}

    record DescribeQuery(Span query) implements Statement {}

    record Begin() implements Statement {}

    record Commit() implements Statement {}

    record Rollback() implements Statement {}

    record CreateMaterializedView(
            QualifiedName name,
            boolean orReplace,
            boolean ifNotExists,
            List<String> columns,
            List<Expectation> expectations,
            Map<String, String> options,
            Span query)
            implements Statement {
        public CreateMaterializedView {
            columns = List.copyOf(columns);
            expectations = List.copyOf(expectations);
            options = Map.copyOf(options);
        }
    }

    record Expectation(String name, Span condition, OnViolation onViolation) {}

    enum OnViolation {
        KEEP,
        DROP,
        FAIL
    }

    record AlterMaterializedView(QualifiedName name, ViewChange change) implements Statement {}

    sealed interface ViewChange {
        record Detach() implements ViewChange {}

        record Suspend() implements ViewChange {}

        record Resume() implements ViewChange {}

        record SetOptions(Map<String, String> options) implements ViewChange {
            public SetOptions {
                options = Map.copyOf(options);
            }
        }
    }

    record RefreshMaterializedView(QualifiedName name) implements Statement {}

    record DropMaterializedView(QualifiedName name, boolean ifExists) implements Statement {}
}
