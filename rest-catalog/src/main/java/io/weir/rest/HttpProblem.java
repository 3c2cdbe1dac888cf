package io.weir.rest;

import com.google.errorprone.annotations.FormatMethod;

/** A request that is refused at the edge, before the lake was asked: an HTTP status and an Iceberg error type. */
final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;

    HttpProblem(int status, String type, String message) {
        super(message);
        this.status = status;
        this.type = type;
    }

    int status() {
        return status;
    }

    String type() {
        return type;
    }

    @FormatMethod
    static HttpProblem badRequest(String message, Object... args) {
        return new HttpProblem(400, "BadRequestException", String.format(message, args));
    }

    @FormatMethod
    static HttpProblem forbidden(String message, Object... args) {
        return new HttpProblem(403, "ForbiddenException", String.format(message, args));
    }
}
