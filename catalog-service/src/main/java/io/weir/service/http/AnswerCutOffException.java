package io.weir.service.http;

/** An answer failed after part of it had gone out: the connection is broken off, so that nobody takes it for whole. */
final class AnswerCutOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AnswerCutOffException(Throwable cause) {
        super("the answer was cut off", cause);
    }
}
