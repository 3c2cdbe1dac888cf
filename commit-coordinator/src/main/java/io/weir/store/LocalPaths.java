package io.weir.store;

import java.net.URI;
import java.nio.file.Path;

/** Between locations, as they stand in Iceberg's metadata, and local paths. Locations are not percent-encoded. */
final class LocalPaths {
    private static final String SCHEME = "file:";

    private LocalPaths() {}

    /** The folder a lake's URI names. */
    static Path folder(URI uri) {
        return path(uri.getScheme() == null ? uri.getPath() : SCHEME + uri.getPath());
    }

    /** Takes {@code file:///a/b}, {@code file:/a/b} and {@code /a/b}. */
    static Path path(String location) {
        String path = location.startsWith(SCHEME) ? location.substring(SCHEME.length()) : location;
        int leading = 0;
        while (leading < path.length() && path.charAt(leading) == '/') {
            leading++;
        }
        if (leading == 0) {
            throw new IllegalArgumentException(
                    "not a local location: '" + location + "': it begins with '/' or 'file:/'");
        }
        return Path.of(path.substring(leading - 1));
    }

    static String location(Path path) {
        return SCHEME + "//" + path;
    }
}
