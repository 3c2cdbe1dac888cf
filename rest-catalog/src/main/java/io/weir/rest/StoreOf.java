package io.weir.rest;

import io.weir.coordinator.Lake;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a location that a client names is on the lake's own kind of store. Elsewhere the lake could neither write the
 * table's metadata nor read its files, and would only find that out in the middle of a commit.
 */
final class StoreOf {
    private static final Pattern SCHEME = Pattern.compile("^([a-zA-Z][a-zA-Z0-9+.-]*):");

    private StoreOf() {}

    static void require(Lake lake, String location) {
        if (!scheme(location).equals(scheme(lake.root()))) {
            throw HttpProblem.badRequest(
                    "Location %s is not on the store of lake %s, %s: leave the location out, or name one there",
                    location, lake.name(), lake.root());
        }
    }

    private static String scheme(String location) {
        Matcher scheme = SCHEME.matcher(location);
        String name = scheme.find() ? scheme.group(1).toLowerCase(Locale.ROOT) : "file";
        return name.equals("s3a") || name.equals("s3n") ? "s3" : name;
    }
}
