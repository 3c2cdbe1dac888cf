package io.weir.service.cli;

/** A command that could not do its work, for a reason its user can act on: what, why, and what to do. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailedException(String message) {
        super(message);
    }

    CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
