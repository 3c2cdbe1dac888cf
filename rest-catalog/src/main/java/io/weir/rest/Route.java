package io.weir.rest;

import org.apache.iceberg.rest.Endpoint;

/** An endpoint of the protocol and what answers it. */
record Route(Endpoint endpoint, Handler handler) {

    @FunctionalInterface
    interface Handler {
        Answer answer(Call call);
    }

    /** Whether it may change the lake, which a frozen warehouse refuses. */
    boolean writes() {
        return switch (endpoint.httpMethod()) {
            case "GET", "HEAD" -> false;
            default -> true;
        };
    }
}
