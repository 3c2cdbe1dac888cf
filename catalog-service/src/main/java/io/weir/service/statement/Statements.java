package io.weir.service.statement;

import io.weir.coordinator.Lake;
import io.weir.incremental.engine.Engine;
import io.weir.service.flow.FlowDefiner;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement;

/** From a statement that changes something to the actions it asks the coordinator for. */
final class Statements {
    private final RowStatements rows;
    private final TableStatements tables;
    private final ViewStatements views;

    Statements(Lake lake, Engine engine, FileStage stage, LakeReader reader, TableReader tableReader, int format) {
        var writer = new DataFileWriter(stage);
        var newTables = new NewTables(lake, engine, reader, format);
        this.rows = new RowStatements(lake, engine, reader, tableReader, writer);
        this.tables = new TableStatements(lake, engine, reader, newTables, rows, writer);
        var definer = new FlowDefiner(lake, engine, stage, new DeleteWriter(lake.io()));
        this.views = new ViewStatements(engine, reader, definer, format);
    }

    static boolean isRead(Statement statement) {
        return switch (statement) {
            case Statement.Query _,
                    Statement.Explain _,
                    Statement.ShowSchemas _,
                    Statement.ShowTables _,
                    Statement.DescribeTable _,
                    Statement.DescribeQuery _ -> true;
            case Statement.CreateSchema _,
                    Statement.DropSchema _,
                    Statement.CreateTable _,
                    Statement.DropTable _,
                    Statement.UndropTable _,
                    Statement.AlterTable _,
                    Statement.Insert _,
                    Statement.Update _,
                    Statement.Delete _,
                    Statement.Begin _,
                    Statement.Commit _,
                    Statement.Rollback _,
                    Statement.CreateMaterializedView _,
                    Statement.AlterMaterializedView _,
                    Statement.RefreshMaterializedView _,
                    Statement.DropMaterializedView _ -> false;
        };
    }

    /** Where a transaction begins or ends, which of itself changes nothing. */
    static boolean isBoundary(Statement statement) {
        return statement instanceof Statement.Begin
                || statement instanceof Statement.Commit
                || statement instanceof Statement.Rollback;
    }

    static boolean countsRows(Statement statement) {
        return statement instanceof Statement.Insert
                || statement instanceof Statement.Update
                || statement instanceof Statement.Delete
                || (statement instanceof Statement.CreateTable create
                        && create.query().isPresent());
    }

    Change plan(Statement statement, ReadPoint point) {
        return switch (statement) {
            case Statement.CreateSchema s -> tables.createSchema(s, point);
            case Statement.DropSchema s -> tables.dropSchema(s, point);
            case Statement.CreateTable s -> tables.createTable(s, point);
            case Statement.DropTable s -> tables.dropTable(s, point);
            case Statement.UndropTable s -> tables.undropTable(s, point);
            case Statement.AlterTable s -> tables.alterTable(s, point);
            case Statement.Insert s -> rows.insert(s, point);
            case Statement.Update s -> rows.update(s, point);
            case Statement.Delete s -> rows.delete(s, point);
            case Statement.CreateMaterializedView s -> views.create(s, point);
            case Statement.AlterMaterializedView s -> views.alter(s, point);
            case Statement.RefreshMaterializedView s -> views.refresh(s, point);
            case Statement.DropMaterializedView s -> views.drop(s, point);
            case Statement.Query _,
                    Statement.Explain _,
                    Statement.ShowSchemas _,
                    Statement.ShowTables _,
                    Statement.DescribeTable _,
                    Statement.DescribeQuery _,
                    Statement.Begin _,
                    Statement.Commit _,
                    Statement.Rollback _ ->
                throw new SqlException("XX000", "not a statement that changes something: " + statement);
        };
    }
}
