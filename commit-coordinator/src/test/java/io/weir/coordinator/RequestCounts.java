package io.weir.coordinator;

import io.weir.store.StoreMeter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Store requests since the last look, by kind. */
final class RequestCounts implements StoreMeter {
    private final Map<Request, Integer> counts = new ConcurrentHashMap<>();

    @Override
    public void took(Request request, Duration time, boolean failed) {
        counts.merge(request, 1, Integer::sum);
    }

    Map<Request, Integer> sinceLastLook() {
        Map<Request, Integer> seen = new TreeMap<>(counts);
        counts.clear();
        return seen;
    }
}
