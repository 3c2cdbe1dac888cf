package io.weir.incremental.engine;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which functions a user's SELECT may call. Functions in FROM are those listed and no others, since most of the rest
 * read files or the engine's own state. Scalar functions are all but those that look outside the statement, change
 * something, or wait.
 */
public final class AllowedFunctions {
    private static final Set<String> IN_FROM =
            Set.of("range", "generate_series", "generate_subscripts", "unnest", "json_each", "json_tree", "repeat");

    private static final Set<String> REFUSED = Set.of(
            "getenv",
            "getvariable",
            "current_setting",
            "set_config",
            "current_query",
            "current_connection_id",
            "query",
            "query_table",
            "nextval",
            "currval",
            "write_log",
            "parse_duckdb_log_message",
            "sleep_ms",
            "setseed",
            "get_block_size",
            "json_serialize_plan",
            "json_execute_serialized_sql",
            "obj_description",
            "shobj_description",
            "col_description",
            "glob",
            "sniff_csv",
            "summary",
            "histogram",
            "histogram_values",
            "which_secret",
            "seq_scan",
            "arrow_scan",
            "arrow_scan_dumb",
            "import_database",
            "checkpoint",
            "force_checkpoint");

    private static final List<String> REFUSED_PREFIXES =
            List.of("read_", "duckdb_", "pragma_", "parquet_", "inet_", "has_", "pg_", "enable_", "disable_", "load_");

    private static final Set<String> ALLOWED_ALL_THE_SAME = Set.of("pg_typeof");

    private AllowedFunctions() {}

    /** Whether it may be called in FROM. */
    public static boolean inFrom(String function) {
        return IN_FROM.contains(function.toLowerCase(Locale.ROOT));
    }

    /** Whether it may be called in an expression. */
    public static boolean scalar(String function) {
        String name = function.toLowerCase(Locale.ROOT);
        return ALLOWED_ALL_THE_SAME.contains(name)
                || (!REFUSED.contains(name) && REFUSED_PREFIXES.stream().noneMatch(name::startsWith));
    }
}
