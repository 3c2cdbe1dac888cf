package io.weir.rest;

import org.apache.iceberg.rest.Endpoint;

/** An endpoint of the protocol and what answers it. */
record Route(Endpoint endpoint, Handler handler, boolean writes) {

    /** Whether it may change the lake, which a frozen warehouse refuses, its method says. */
    Route(Endpoint endpoint, Handler handler) {
        this(
                endpoint,
                handler,
                !endpoint.httpMethod().equals("GET") && !endpoint.httpMethod().equals("HEAD"));
    }

    /** One that changes nothing, whatever its method. */
    static Route reading(Endpoint endpoint, Handler handler) {
        return new Route(endpoint, handler, false);
    }

    @FunctionalInterface
    interface Handler {
        Answer answer(Call call);
    }
}
