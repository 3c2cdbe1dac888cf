package io.weir.rest;

import io.weir.coordinator.CatalogState;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The views through which a table or view is loaded ({@code referenced-by}), the outermost first. What a client says here
 * is not proof of anything: it can only tell more about a request that the caller may make anyway. A view that is not
 * there is not an error, since it may be gone since the client read it.
 */
final class ReferencedBy {
    private static final Pattern PARAMETER = Pattern.compile("(?:^|&)referenced-by=([^&]*)");

    private ReferencedBy() {}

    /** @param query as it came, encoded; null for none */
    static List<TableIdentifier> of(String query, NamespaceSeparator separator, CatalogState state) {
        Matcher parameter = PARAMETER.matcher(query == null ? "" : query);
        if (!parameter.find() || parameter.group(1).isEmpty()) {
            return List.of();
        }
        String chain = parameter.group(1);
        if (parameter.find()) {
            throw HttpProblem.badRequest("referenced-by is there twice: name the views in one, separated by commas");
        }
        Optional<List<TableIdentifier>> asSpecified = views(chain, separator);
        Optional<List<TableIdentifier>> encodedWhole =
                chain.contains("%2C") ? views(decoded(chain), separator) : Optional.empty();
        return encodedWhole
                .filter(views -> asSpecified.isEmpty()
                        || views.stream()
                                .allMatch(view -> state.logicalView(view).isPresent()))
                .or(() -> asSpecified)
                .orElseThrow(() -> HttpProblem.badRequest(
                        "referenced-by=%s does not name views: write the namespace of each, %s and its name, separate them by"
                                + " commas, and write a comma in a name as %%2C",
                        chain, separator.encoded()));
    }

    /** By the commas that are written as such; those in a view's name are encoded. Empty where one is no view's name. */
    private static Optional<List<TableIdentifier>> views(String chain, NamespaceSeparator separator) {
        List<TableIdentifier> views = Stream.of(chain.split(",", -1))
                .map(encoded -> separator.parts(decoded(encoded)))
                .takeWhile(parts -> parts.size() > 1 && !parts.contains(""))
                .map(parts -> TableIdentifier.of(parts.toArray(String[]::new)))
                .toList();
        return views.size() == chain.split(",", -1).length ? Optional.of(views) : Optional.empty();
    }

    private static String decoded(String encoded) {
        return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
    }
}
