package io.weir.service.sql;

import io.weir.service.sql.Statement.AlterMaterializedView;
import io.weir.service.sql.Statement.CreateMaterializedView;
import io.weir.service.sql.Statement.DropMaterializedView;
import io.weir.service.sql.Statement.Expectation;
import io.weir.service.sql.Statement.OnViolation;
import io.weir.service.sql.Statement.RefreshMaterializedView;
import io.weir.service.sql.Statement.ViewChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The grammar of materialized views. The cursor stands after CREATE MATERIALIZED VIEW and so on. */
final class ViewGrammar {
    private final TokenCursor cursor;

    ViewGrammar(TokenCursor cursor) {
        this.cursor = cursor;
    }

    CreateMaterializedView create(boolean orReplace) {
        boolean ifNotExists = cursor.acceptIfNotExists();
        QualifiedName name = cursor.qualifiedName("a view name");
        var columns = new ArrayList<String>();
        var expectations = new ArrayList<Expectation>();
        if (cursor.acceptSymbol("(")) {
            Set<String> names = new HashSet<>();
            do {
                if (cursor.accept("CONSTRAINT")) {
                    Expectation expectation = expectation();
                    if (!names.add(expectation.name())) {
                        throw cursor.error("constraint \"" + expectation.name() + "\" is there twice", "Rename one.");
                    }
                    expectations.add(expectation);
                } else if (cursor.sees("CHECK") || cursor.sees("EXPECT")) {
                    throw cursor.error(
                            "a constraint has no name",
                            "Write CONSTRAINT name " + cursor.peek().upper());
                } else {
                    columns.add(cursor.identifier("a column name or CONSTRAINT"));
                }
            } while (cursor.acceptSymbol(","));
            cursor.expectSymbol(")");
        }
        Map<String, String> options = cursor.accept("WITH") ? Properties.list(cursor, "an option") : Map.of();
        cursor.expect("AS");
        return new CreateMaterializedView(
                name, orReplace, ifNotExists, columns, expectations, options, cursor.rest("a query"));
    }

    private Expectation expectation() {
        String name = cursor.identifier("the constraint's name");
        boolean check = cursor.accept("CHECK");
        if (!check && !cursor.accept("EXPECT")) {
            throw cursor.expected("CHECK or EXPECT");
        }
        Span condition = cursor.parenthesized("a condition");
        OnViolation onViolation = check ? OnViolation.FAIL : OnViolation.KEEP;
        if (cursor.accept("ON", "VIOLATION")) {
            if (cursor.accept("DROP", "ROW")) {
                onViolation = OnViolation.DROP;
            } else if (cursor.accept("FAIL")) {
                onViolation = OnViolation.FAIL;
            } else {
                throw cursor.expected("DROP ROW or FAIL");
            }
        }
        return new Expectation(name, condition, onViolation);
    }

    AlterMaterializedView alter() {
        QualifiedName name = cursor.qualifiedName("a view name");
        return new AlterMaterializedView(name, change());
    }

    private ViewChange change() {
        if (cursor.accept("DETACH")) {
            return new ViewChange.Detach();
        }
        if (cursor.accept("SUSPEND")) {
            return new ViewChange.Suspend();
        }
        if (cursor.accept("RESUME")) {
            return new ViewChange.Resume();
        }
        if (cursor.accept("SET")) {
            return new ViewChange.SetOptions(Properties.list(cursor, "an option"));
        }
        throw cursor.expected("DETACH, SUSPEND, RESUME or SET");
    }

    RefreshMaterializedView refresh() {
        cursor.expect("REFRESH", "MATERIALIZED", "VIEW");
        return new RefreshMaterializedView(cursor.qualifiedName("a view name"));
    }

    DropMaterializedView drop() {
        boolean ifExists = cursor.acceptIfExists();
        return new DropMaterializedView(cursor.qualifiedName("a view name"), ifExists);
    }
}
