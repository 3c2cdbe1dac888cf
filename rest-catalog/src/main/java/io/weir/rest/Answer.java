package io.weir.rest;

import io.javalin.http.Context;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.rest.RESTResponse;

/**
 * What a request is answered with.
 *
 * @param json the body; null for none
 */
record Answer(int status, String json, Map<String, String> headers) {
    Answer {
        headers = Map.copyOf(headers);
    }

    static Answer ok(RESTResponse response) {
        return json(200, Json.write(response));
    }

    static Answer json(int status, String json) {
        return new Answer(status, json, Map.of());
    }

    static Answer noContent() {
        return new Answer(204, null, Map.of());
    }

    Answer with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new Answer(status, json, more);
    }

    void send(Context ctx, boolean head) {
        ctx.status(status);
        headers.forEach(ctx::header);
        if (json != null && !head) {
            ctx.contentType("application/json");
            ctx.result(json);
        }
    }
}
