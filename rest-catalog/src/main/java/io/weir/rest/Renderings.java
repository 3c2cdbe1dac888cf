package io.weir.rest;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.function.Supplier;

/**
 * The JSON of what is asked for again and again. It is kept by the very object it was made from, which never changes, so
 * that it can not be stale: another version of the same thing is another object. What else goes into the JSON is its
 * context, and is compared. Bounded; an object nobody else holds is let go.
 */
final class Renderings<K> {
    private final Cache<K, Rendering> kept;

    private record Rendering(Object context, String json) {}

    /** @param characters that are kept at most, of all answers together */
    Renderings(long characters) {
        this.kept = Caffeine.newBuilder()
                .weakKeys()
                .maximumWeight(characters)
                .weigher((K _, Rendering rendering) -> rendering.json.length())
                .build();
    }

    /**
     * The JSON of the response, which is a function of the two and nothing else.
     *
     * @param of immutable; told from others by identity
     * @param context told from others by what it holds
     */
    String json(K of, Object context, Supplier<String> response) {
        Rendering found = kept.get(of, _ -> new Rendering(context, response.get()));
        if (!found.context.equals(context)) {
            found = new Rendering(context, response.get());
            kept.put(of, found);
        }
        return found.json;
    }
}
