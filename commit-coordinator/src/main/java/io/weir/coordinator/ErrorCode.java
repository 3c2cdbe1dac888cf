package io.weir.coordinator;

/**
 * Why a request was rejected: one list for both doors. Each code fixes the HTTP status and the error type of the Iceberg
 * REST protocol and the SQLSTATE of {@code /sql}.
 *
 * <p>A rejection is final: the same request on the same lake is rejected again, so no status here makes a client retry.
 * What a retry could mend is a {@link CommitOutcome.Conflict} instead.
 */
public enum ErrorCode {
    NO_SUCH_NAMESPACE(404, "NoSuchNamespaceException", "3F000"),
    NO_SUCH_TABLE(404, "NoSuchTableException", "42P01"),
    NO_SUCH_VIEW(404, "NoSuchViewException", "42P01"),
    NAMESPACE_EXISTS(409, "AlreadyExistsException", "42P06"),
    TABLE_EXISTS(409, "AlreadyExistsException", "42P07"),
    NAMESPACE_NOT_EMPTY(409, "NamespaceNotEmptyException", "2BP01"),
    /** Something follows the table or view. */
    FOLLOWED(400, "BadRequestException", "2BP01"),
    /** Only the flow writes a materialized view. */
    WRITTEN_BY_FLOW(403, "ForbiddenException", "42809"),
    NOT_A_FLOW(400, "BadRequestException", "42809"),
    INVALID(400, "BadRequestException", "22023"),
    /** A requirement or an update that contradicts the table's metadata. */
    VALIDATION(400, "ValidationException", "22023"),
    /** A file the request names is missing, unreadable or outside the table's location. */
    BAD_FILE(400, "BadRequestException", "58030"),
    LOCATION_TAKEN(400, "BadRequestException", "55006"),
    /** A FAIL expectation. */
    CHECK_VIOLATION(400, "BadRequestException", "23514"),
    NOT_NULL_VIOLATION(400, "BadRequestException", "23502"),
    /** A view's SQL fails on a row the commit brought. */
    FLOW_FAILED(400, "BadRequestException", "22000"),
    NOT_SUPPORTED(406, "UnsupportedOperationException", "0A000"),
    /** A fault of ours, that the same request would meet again. Nothing was applied. */
    INTERNAL(422, "UnprocessableEntityException", "XX000");

    private final int httpStatus;
    private final String icebergType;
    private final String sqlState;

    ErrorCode(int httpStatus, String icebergType, String sqlState) {
        this.httpStatus = httpStatus;
        this.icebergType = icebergType;
        this.sqlState = sqlState;
    }

    public int httpStatus() {
        return httpStatus;
    }

    /** The {@code type} of the Iceberg REST error model. */
    public String icebergType() {
        return icebergType;
    }

    public String sqlState() {
        return sqlState;
    }
}
