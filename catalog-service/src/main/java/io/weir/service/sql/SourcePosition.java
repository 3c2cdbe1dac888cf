package io.weir.service.sql;

/** Line and column, from 1, of a place in the text of a request. */
record SourcePosition(int line, int column) {
    static SourcePosition of(String source, int offset) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < offset && i < source.length(); i++) {
            if (source.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new SourcePosition(line, source.codePointCount(lineStart, Math.min(offset, source.length())) + 1);
    }

    static SqlException syntaxError(String source, int offset, String what, String hint) {
        return new SqlException("42601", "syntax error at " + of(source, offset) + ": " + what, hint);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
