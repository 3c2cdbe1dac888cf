package io.weir.rest;

import io.weir.coordinator.CatalogState;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.RESTUtil;

/**
 * What stands between the levels of a namespace where they are written in one. The unit separator (0x1F) is always
 * understood; another one beside it is what clients are told to write.
 *
 * @param text decoded
 */
public record NamespaceSeparator(String text) {
    private static final String UNIT_SEPARATOR = "\u001f";

    /** A separator that a path, a list or an encoding would take for its own, or that names are made of. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{L}\\p{N}\\s/\\\\%+?#,;&=]");

    public static final NamespaceSeparator UNIT = new NamespaceSeparator(UNIT_SEPARATOR);

    public NamespaceSeparator {
        if (text.isEmpty() || UNFIT.matcher(text.replace(UNIT_SEPARATOR, "")).find()) {
            throw new IllegalArgumentException("\"" + text
                    + "\" can not separate the levels of namespaces: it is empty, or has letters, digits, blanks or one"
                    + " of / \\ % + ? # , ; & = in it. A dot, a colon or a dollar sign can");
        }
    }

    /** Reads one that is written as in a URL: {@code %1F}, {@code %2E} or a plain dot. */
    public static NamespaceSeparator parse(String encoded) {
        return new NamespaceSeparator(URLDecoder.decode(encoded, StandardCharsets.UTF_8));
    }

    /** As clients are told. */
    String encoded() {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            encoded.append(String.format(Locale.ROOT, "%%%02X", b & 0xff));
        }
        return encoded.toString();
    }

    /**
     * The namespace that is meant. One level that has the separator in its name, which only older lakes and SQL can have
     * made, is found where there is no namespace of the levels.
     */
    Namespace split(String joined, CatalogState state) {
        Namespace levels = RESTUtil.namespaceFromQueryParam(joined, text);
        Namespace whole = Namespace.of(joined);
        return !state.hasNamespace(levels) && state.hasNamespace(whole) ? whole : levels;
    }

    /** The levels and the name in a name that is qualified with them. */
    List<String> parts(String joined) {
        String between = joined.contains(UNIT_SEPARATOR) ? UNIT_SEPARATOR : text;
        return Stream.of(joined.split(Pattern.quote(between), -1)).toList();
    }

    /** A new namespace's levels must be told from others by what is written of them. */
    void requireTold(Namespace namespace) {
        for (String level : namespace.levels()) {
            if (level.contains(text)) {
                throw HttpProblem.badRequest(
                        "Invalid namespace: level \"%s\" holds \"%s\", which separates levels in paths: choose another name",
                        level, text.equals(UNIT_SEPARATOR) ? "0x1F" : text);
            }
        }
    }
}
