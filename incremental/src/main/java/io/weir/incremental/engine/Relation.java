package io.weir.incremental.engine;

/**
 * A SELECT that can stand where a table can: {@code FROM (sql) AS t}. Good for as long as the session that made it.
 */
public record Relation(String sql) {
    /** The text to put after FROM. */
    public String as(String alias) {
        return "(" + sql + ") AS " + Quoting.name(alias);
    }
}
