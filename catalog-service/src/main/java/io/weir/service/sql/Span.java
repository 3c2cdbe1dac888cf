package io.weir.service.sql;

/** A piece of the request's text that DuckDB parses, not Weir, and the offset at which it stands there. */
public record Span(String text, int offset) {
    @Override
    public String toString() {
        return text;
    }
}
