package io.weir.service.statement;

import io.weir.coordinator.Action;
import io.weir.coordinator.FlowEntry;
import io.weir.coordinator.TableEntry;
import io.weir.incremental.engine.CheckedSql;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.TableName;
import io.weir.incremental.engine.TableReference;
import io.weir.incremental.view.Constraint;
import io.weir.incremental.view.ViewDefinition;
import io.weir.service.flow.FlowDefiner;
import io.weir.service.sql.QualifiedName;
import io.weir.service.sql.SqlException;
import io.weir.service.sql.Statement.AlterMaterializedView;
import io.weir.service.sql.Statement.CreateMaterializedView;
import io.weir.service.sql.Statement.DropMaterializedView;
import io.weir.service.sql.Statement.OnViolation;
import io.weir.service.sql.Statement.RefreshMaterializedView;
import io.weir.service.sql.Statement.ViewChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;

/** Statements about materialized views: compiled here, moved and guarded by the coordinator. */
final class ViewStatements {
    private static final Set<String> OPTIONS = Set.of("refresh", "format_version", "on_error");

    private final Engine engine;
    private final LakeReader reader;
    private final FlowDefiner definer;
    private final int formatVersion;

    ViewStatements(Engine engine, LakeReader reader, FlowDefiner definer, int formatVersion) {
        this.engine = engine;
        this.reader = reader;
        this.definer = definer;
        this.formatVersion = formatVersion;
    }

    Change create(CreateMaterializedView create, ReadPoint point) {
        Optional<TableEntry> existing = point.names().table(create.name());
        if (existing.isPresent() && create.ifNotExists()) {
            return Change.nothing();
        }
        TableIdentifier name = point.names().newTable(create.name());
        var actions = new ArrayList<Action>();
        if (existing.isPresent() && create.orReplace()) {
            actions.add(new Action.DropFlow(existing.get().name()));
        }
        Map<String, String> options = options(create.options());
        ViewDefinition definition = new ViewDefinition(
                Names.tableName(name).toString(),
                create.query().text(),
                create.columns().isEmpty() ? Optional.empty() : Optional.of(create.columns()),
                constraints(create),
                options);
        actions.add(definer.define(name, statement(create, name, options), definition, sources(create, point)));
        return new Change(actions, 0, List.of());
    }

    private Map<String, String> options(Map<String, String> given) {
        Map<String, String> options = new HashMap<>();
        given.forEach((key, value) -> {
            String option = key.toLowerCase(Locale.ROOT);
            if (!OPTIONS.contains(option)) {
                throw new SqlException(
                        "0A000",
                        "option " + key + " of a materialized view is not supported",
                        "There are: "
                                + String.join(", ", OPTIONS.stream().sorted().toList()));
            }
            options.put(option, value);
        });
        options.putIfAbsent("format_version", Integer.toString(formatVersion));
        return options;
    }

    /** What the query reads, by the name the plan will use. */
    private Map<String, TableIdentifier> sources(CreateMaterializedView create, ReadPoint point) {
        CheckedSql checked;
        try (EngineSession session = engine.session()) {
            checked = reader.check(session, create.query().text(), point);
        }
        if (!checked.systemColumns().isEmpty()) {
            throw new SqlException(
                    "0A000",
                    "a materialized view cannot read system columns",
                    "Leave out " + checked.systemColumns().iterator().next().columnName() + ".");
        }
        Map<String, TableIdentifier> sources = new TreeMap<>();
        for (TableReference reference : checked.tables()) {
            TableName source = reference.name();
            if (source.namespace().equals(Names.SYSTEM) || reference.at().isPresent()) {
                throw new SqlException(
                        "0A000",
                        "a materialized view follows tables as they are now: it cannot read " + source
                                + (reference.at().isPresent() ? " AT a point in time" : ""),
                        "Query it with SELECT instead.");
            }
            sources.put(
                    source.toString(),
                    point.names().existingTable(LakeReader.qualified(source)).name());
        }
        return sources;
    }

    private static List<Constraint> constraints(CreateMaterializedView create) {
        return create.expectations().stream()
                .map(e -> new Constraint(
                        e.name(),
                        e.condition().text(),
                        switch (e.onViolation()) {
                            case KEEP -> io.weir.incremental.view.OnViolation.KEEP;
                            case DROP -> io.weir.incremental.view.OnViolation.DROP;
                            case FAIL -> io.weir.incremental.view.OnViolation.FAIL;
                        }))
                .toList();
    }

    /** What makes the view again, its own name qualified. */
    private static String statement(CreateMaterializedView create, TableIdentifier name, Map<String, String> options) {
        var elements = new ArrayList<String>();
        create.columns().forEach(column -> elements.add(QualifiedName.quote(column)));
        create.expectations()
                .forEach(e -> elements.add("CONSTRAINT " + QualifiedName.quote(e.name())
                        + (e.onViolation() == OnViolation.FAIL ? " CHECK (" : " EXPECT (")
                        + e.condition().text() + ")"
                        + (e.onViolation() == OnViolation.DROP ? " ON VIOLATION DROP ROW" : "")));
        return "CREATE MATERIALIZED VIEW " + QualifiedName.quote(Names.schema(name.namespace())) + "."
                + QualifiedName.quote(name.name())
                + (elements.isEmpty() ? "" : " (" + String.join(", ", elements) + ")")
                + options.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(o -> o.getKey() + " = '" + o.getValue().replace("'", "''") + "'")
                        .collect(Collectors.joining(", ", " WITH (", ")"))
                + " AS " + create.query().text();
    }

    Change alter(AlterMaterializedView alter, ReadPoint point) {
        TableIdentifier name = existing(alter.name(), point).name();
        return switch (alter.change()) {
            case ViewChange.Detach _ -> Change.of(new Action.DetachFlow(name));
            case ViewChange.Suspend _ -> Change.of(new Action.SuspendFlow(name));
            case ViewChange.Resume _ -> Change.of(new Action.ResumeFlow(name));
            case ViewChange.SetOptions _ ->
                throw new SqlException(
                        "0A000",
                        "the options of a view cannot be changed",
                        "Write CREATE OR REPLACE MATERIALIZED VIEW with the new ones.");
        };
    }

    /** A view is exact after every commit; one set aside comes up to date by RESUME. */
    Change refresh(RefreshMaterializedView refresh, ReadPoint point) {
        TableEntry view = existing(refresh.name(), point);
        FlowEntry.Status status = view.flow().orElseThrow().status();
        return status == FlowEntry.Status.CURRENT ? Change.nothing() : Change.of(new Action.ResumeFlow(view.name()));
    }

    Change drop(DropMaterializedView drop, ReadPoint point) {
        if (drop.ifExists() && point.names().table(drop.name()).isEmpty()) {
            return Change.nothing();
        }
        return Change.of(new Action.DropFlow(existing(drop.name(), point).name()));
    }

    private static TableEntry existing(QualifiedName name, ReadPoint point) {
        Names.refuseSystem(name.schema());
        TableEntry view = point.names().existingTable(name);
        if (!view.isView()) {
            throw new SqlException("42809", name + " is not a materialized view", "It is a table: use … TABLE.");
        }
        return view;
    }
}
