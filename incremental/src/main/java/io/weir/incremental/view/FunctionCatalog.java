package io.weir.incremental.view;

import io.weir.incremental.SqlState;
import io.weir.incremental.engine.AllowedFunctions;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Rows;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** What the engine says of its functions: which aggregate, and which give the same answer for the same row for ever. */
final class FunctionCatalog {
    /** Said to be consistent, or macros that say nothing, but they look at the clock, the user or the settings. */
    private static final Set<String> UNSTEADY = Set.of(
            "ago",
            "current_setting",
            "getvariable",
            "current_catalog",
            "current_role",
            "current_user",
            "session_user",
            "user",
            "get_block_size");

    /** Macros around aggregates, which are taken apart only under their own names. */
    private static final Set<String> AGGREGATING_MACROS = Set.of(
            "geomean",
            "geometric_mean",
            "wavg",
            "weighted_avg",
            "json_group_array",
            "json_group_object",
            "json_group_structure");

    private static final Set<String> SEVERAL_ROWS =
            Set.of("unnest", "unlist", "generate_subscripts", "regexp_split_to_table");

    /** Names that are values without being written as calls. */
    private static final Set<String> CLOCK_AND_USER = Set.of(
            "current_date",
            "current_time",
            "current_timestamp",
            "localtime",
            "localtimestamp",
            "current_user",
            "current_role",
            "session_user",
            "user",
            "current_catalog",
            "current_schema");

    private final Set<String> aggregates = new HashSet<>();
    private final Set<String> volatiles = new HashSet<>();

    FunctionCatalog(EngineSession session) {
        try (Rows rows = session.query("SELECT DISTINCT lower(function_name), function_type = 'aggregate',"
                + " coalesce(stability <> 'CONSISTENT', false) FROM duckdb_functions()"
                + " WHERE function_type = 'aggregate' OR stability <> 'CONSISTENT'")) {
            while (rows.next()) {
                String name = (String) rows.value(0);
                if (Boolean.TRUE.equals(rows.value(1))) {
                    aggregates.add(name);
                }
                if (Boolean.TRUE.equals(rows.value(2))) {
                    volatiles.add(name);
                }
            }
        }
    }

    boolean isAggregate(String function) {
        return aggregates.contains(function.toLowerCase(Locale.ROOT));
    }

    static boolean isClockOrUser(String name) {
        return CLOCK_AND_USER.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Refuses a call that would not give the same answer each time, or not one answer for one row. */
    void check(String function, String schema, int arguments) {
        String name = function.toLowerCase(Locale.ROOT);
        if (!schema.isEmpty() && !schema.equals("main")) {
            throw ViewException.unsupported("the function " + schema + "." + function);
        }
        if (volatiles.contains(name) || UNSTEADY.contains(name) || (name.equals("age") && arguments == 1)) {
            throw notDeterministic(function + "()");
        }
        if (!AllowedFunctions.scalar(name)) {
            throw ViewException.unsupported("the function " + function + ", which looks at more than its arguments,");
        }
        if (SEVERAL_ROWS.contains(name)) {
            throw ViewException.unsupported("a function that gives several rows, such as " + function + "(),");
        }
        if (AGGREGATING_MACROS.contains(name)) {
            throw ViewException.unsupported("the aggregate " + function + "()");
        }
    }

    static ViewException notDeterministic(String what) {
        return new ViewException(
                SqlState.INVALID_DEFINITION,
                what + " does not give the same answer each time, so a view with it could not be kept exact",
                "compute it when writing the row or when reading the view");
    }
}
