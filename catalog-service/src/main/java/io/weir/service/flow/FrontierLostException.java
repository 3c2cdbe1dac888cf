package io.weir.service.flow;

/** The snapshot a view was exact at is gone from its source: only a new fill brings the view up. */
final class FrontierLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FrontierLostException(String message) {
        super(message);
    }
}
