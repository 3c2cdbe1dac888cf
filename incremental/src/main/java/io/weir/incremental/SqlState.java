package io.weir.incremental;

/** The SQLSTATEs the engine answers with. */
public enum SqlState {
    FEATURE_NOT_SUPPORTED("0A000"),
    INVALID_ARGUMENT("22023"),
    NUMERIC_VALUE_OUT_OF_RANGE("22003"),
    STRING_TRUNCATION("22001"),
    INVALID_TEXT("22P02"),
    DATA_EXCEPTION("22000"),
    DIVISION_BY_ZERO("22012"),
    NOT_NULL_VIOLATION("23502"),
    CONSTRAINT_VIOLATION("23000"),
    INSUFFICIENT_PRIVILEGE("42501"),
    SYNTAX_ERROR("42601"),
    DUPLICATE_COLUMN("42701"),
    DUPLICATE_ALIAS("42712"),
    AMBIGUOUS_COLUMN("42702"),
    UNDEFINED_COLUMN("42703"),
    UNDEFINED_OBJECT("42704"),
    GROUPING_ERROR("42803"),
    DATATYPE_MISMATCH("42804"),
    UNDEFINED_FUNCTION("42883"),
    UNDEFINED_TABLE("42P01"),
    INVALID_DEFINITION("42P17"),
    OUT_OF_MEMORY("53200"),
    QUERY_CANCELED("57014"),
    IO_ERROR("58030"),
    DATA_CORRUPTED("XX001"),
    INTERNAL_ERROR("XX000");

    private final String code;

    SqlState(String code) {
        this.code = code;
    }

    /** The five characters. */
    public String code() {
        return code;
    }
}
