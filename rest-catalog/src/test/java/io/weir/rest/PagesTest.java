package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.coordinator.Action;
import io.weir.coordinator.Caller;
import io.weir.coordinator.LakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listings by the page while names come and go: what is there all along is given once, in order. */
class PagesTest extends OnServedLake {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final String DEFAULT = "/v1/lake/namespaces/default";

    enum Listing {
        TABLES(DEFAULT + "/tables", "identifiers"),
        VIEWS(DEFAULT + "/views", "identifiers"),
        NAMESPACES("/v1/lake/namespaces?parent=default", "namespaces");

        private final String path;
        private final String field;

        Listing(String path, String field) {
            this.path = path;
            this.field = field;
        }
    }

    private void add(Listing listing, List<String> names) {
        switch (listing) {
            case TABLES ->
                served.lake()
                        .commit(new LakeRequest(
                                Caller.WEIR,
                                names.stream()
                                        .map(name -> TableIdentifier.of("default", name))
                                        .<Action>map(name -> new Action.CreateTable(
                                                name,
                                                TableMetadata.newTableMetadata(
                                                        SCHEMA,
                                                        PartitionSpec.unpartitioned(),
                                                        served.lake().newLocation(name),
                                                        Map.of())))
                                        .toList()));
            case VIEWS -> names.forEach(name -> served.post(DEFAULT + "/views", ServedLake.view(name, "")));
            case NAMESPACES ->
                served.lake()
                        .commit(new LakeRequest(
                                Caller.WEIR,
                                names.stream()
                                        .<Action>map(name ->
                                                new Action.CreateNamespace(Namespace.of("default", name), Map.of()))
                                        .toList()));
        }
    }

    private void drop(Listing listing, String name) {
        String path = switch (listing) {
            case TABLES -> DEFAULT + "/tables/" + name;
            case VIEWS -> DEFAULT + "/views/" + name;
            case NAMESPACES -> DEFAULT + "%1F" + name;
        };
        assertThat(served.send("DELETE", path).statusCode()).isEqualTo(204);
    }

    private static String name(JsonNode item) {
        return item.isArray()
                ? item.get(item.size() - 1).asText()
                : item.get("name").asText();
    }

    private static String name(String prefix, int number) {
        return String.format(Locale.ROOT, "%s%03d", prefix, number);
    }

    @ParameterizedTest
    @EnumSource
    void aListingThatChangesBetweenItsPagesNeitherRepeatsNorHidesWhatIsThereAllAlong(Listing listing) {
        List<String> kept =
                IntStream.range(0, 60).mapToObj(i -> name("k", 2 * i)).toList();
        List<String> dropped =
                IntStream.range(0, 20).mapToObj(i -> name("k", 6 * i + 1)).toList();
        add(listing, kept);
        add(listing, dropped);
        List<String> seen = new ArrayList<>();
        String token = "";
        int page = 0;
        do {
            JsonNode answer = ServedLake.json(served.get(
                    listing.path + (listing.path.contains("?") ? "&" : "?") + "pageSize=7&pageToken=" + token));
            assertThat(answer.get(listing.field).size()).isLessThanOrEqualTo(7);
            answer.get(listing.field).forEach(item -> seen.add(name(item)));
            token = answer.path("next-page-token").asText("");
            // Before, at and after where the listing stands: a name goes that was the last of the page, or is yet to
            // come.
            if (page < dropped.size()) {
                drop(listing, dropped.get(page));
                add(listing, List.of(name("a", page), name("z", page)));
            }
            page++;
        } while (!token.isEmpty() && !token.equals("null"));
        assertThat(seen).doesNotHaveDuplicates().isSorted().containsAll(kept);
        assertThat(seen.stream().filter(name -> name.startsWith("a"))).isEmpty();
    }
}
