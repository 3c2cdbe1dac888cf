package io.weir.service;

import io.weir.service.sql.SqlException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A lake to serve: its name, and the root its objects are under. Written {@code [NAME=]URI}, or as a folder. */
public record LakeAddress(String name, URI root) {
    private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9_-]+)=(.+)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

    public static LakeAddress parse(String text) {
        Matcher named = NAMED.matcher(text);
        String location = named.matches() ? named.group(2) : text;
        URI root = root(location);
        String name = named.matches() ? named.group(1) : lastSegment(root);
        if (!NAME.matcher(name).matches()) {
            throw new SqlException(
                    "F0000",
                    "\"" + name + "\" cannot be a lake's name: it has letters, digits, _ and -",
                    "Name the lake: --lake NAME=" + location);
        }
        return new LakeAddress(name, root);
    }

    private static URI root(String location) {
        try {
            return SCHEME.matcher(location).matches()
                    ? new URI(location.replaceAll("/+$", ""))
                    : new URI("file", "", folder(location), null);
        } catch (URISyntaxException e) {
            throw new SqlException(
                    "F0000",
                    "\"" + location + "\" is not the address of a lake: " + e.getMessage(),
                    "Write file:///folder, s3://bucket/prefix, or a folder.",
                    e);
        }
    }

    private static String folder(String location) {
        return Path.of(location).toAbsolutePath().normalize().toString();
    }

    private static String lastSegment(URI root) {
        String path = root.getPath() == null ? "" : root.getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        return last.isEmpty() ? Optional.ofNullable(root.getHost()).orElse("lake") : last;
    }

    /** The folder of a local lake. */
    Optional<Path> localFolder() {
        return "file".equals(root.getScheme()) ? Optional.of(Path.of(root.getPath())) : Optional.empty();
    }
}
