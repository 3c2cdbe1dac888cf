package io.weir.coordinator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.view.ImmutableViewVersion;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewVersion;

/**
 * Versions of a view that came with unknown fields (a materialized view's {@code storage-table} is one). The lake gives
 * versions their ids, and takes two that differ in nothing it knows for one; so such a version is marked in its summary
 * with what its unknown fields hold. Equal fields, equal mark; by the mark a version is found again.
 *
 * @param byMark what is unknown of each
 */
public record MarkedVersions(Map<String, ObjectNode> byMark) {
    /** Where the mark is in a version's summary. */
    public static final String SUMMARY_KEY = "weir.unknown-fields";

    public static final MarkedVersions NONE = new MarkedVersions(Map.of());

    public MarkedVersions {
        byMark = Map.copyOf(byMark);
    }

    public static String mark(ObjectNode unknown) {
        return UUID.nameUUIDFromBytes(unknown.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    public static ViewVersion marked(ViewVersion version, String mark) {
        return ImmutableViewVersion.builder()
                .from(version)
                .putSummary(SUMMARY_KEY, mark)
                .build();
    }

    /** The fields under the ids that the versions have got. */
    UnknownFields in(ViewMetadata metadata) {
        Map<Integer, ObjectNode> found = metadata.versions().stream()
                .filter(version -> byMark.containsKey(version.summary().getOrDefault(SUMMARY_KEY, "")))
                .collect(Collectors.toMap(
                        ViewVersion::versionId,
                        version -> byMark.get(version.summary().get(SUMMARY_KEY))));
        if (found.isEmpty()) {
            return UnknownFields.NONE_OF_VIEW;
        }
        ObjectNode held = JsonNodeFactory.instance.objectNode();
        ObjectNode versions = held.putObject("versions");
        found.forEach((id, unknown) -> versions.set(Integer.toString(id), unknown));
        return new UnknownFields(UnknownFields.Of.VIEW, held);
    }
}
