package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Quoting;
import io.weir.incremental.engine.Relation;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The slow reference: a view's query run from nothing over its sources' rows. Whatever the stages do, this is what their
 * views must hold. It shares nothing with them but the resolved text of the query and the expectations.
 */
public final class Reference {
    private Reference() {}

    /** A SELECT of the view's rows, in its columns' names and types. */
    public static Relation rows(EngineSession session, ViewPlan plan, Map<String, TableRows> sources) {
        Map<String, Relation> tables = new TreeMap<>();
        plan.labels().forEach((label, source) -> tables.put(label, session.rows(sources.get(source), false)));
        String query = over(tables, plan.canonicalSql());
        StringBuilder casts = new StringBuilder();
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < plan.columns().size(); i++) {
            OutputColumn column = plan.columns().get(i);
            String name = Quoting.name(column.name());
            String separator = i == 0 ? "" : ", ";
            casts.append(separator)
                    .append("CAST(")
                    .append(name)
                    .append(" AS ")
                    .append(column.duckType())
                    .append(") AS c")
                    .append(i);
            names.append(separator).append('c').append(i).append(" AS ").append(name);
        }
        String kept = plan.expectations().stream()
                .filter(expectation -> expectation.onViolation() == OnViolation.DROP)
                .map(expectation -> expectation.sql() + " IS NOT FALSE")
                .collect(Collectors.joining(" AND "));
        return new Relation("SELECT " + names + " FROM (SELECT " + casts + " FROM (" + query + "))"
                + (kept.isEmpty() ? "" : " WHERE " + kept));
    }

    /** A statement over tables called by their labels. */
    static String over(Map<String, Relation> tables, String statement) {
        return tables.entrySet().stream()
                        .map(table -> Quoting.name(table.getKey()) + " AS NOT MATERIALIZED ("
                                + table.getValue().sql() + ")")
                        .collect(Collectors.joining(", ", "WITH ", " "))
                + statement;
    }
}
