package io.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;

/** What a commit's JSON is taken for, and what is refused, with the place that is wrong. */
class TableChangeTest {

    @Test
    void aCommitIsReadWithItsTableRequirementsAndUpdates() {
        TableChange change = parse("""
                {"identifier": {"namespace": ["a", "b.c"], "name": "t"},
                 "requirements": [{"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": null}],
                 "updates": [{"action": "set-properties", "updates": {"k": "v"}}]}""");
        assertThat(change.identifier()).contains(TableIdentifier.of("a", "b.c", "t"));
        assertThat(change.requirements()).singleElement().isInstanceOf(UpdateRequirement.AssertRefSnapshotID.class);
        assertThat(change.updates()).hasSize(1);
    }

    @Test
    void anUnknownRequirementIsRefusedWithItsPlace() {
        assertRefused("""
                {"requirements": [{"type": "assert-create"}, {"type": "assert-moon-phase"}], "updates": []}""", "requirements[1]: unknown requirement type \"assert-moon-phase\"");
    }

    @Test
    void anUnknownFieldOfARequirementIsRefusedForItCouldNarrowTheCondition() {
        assertRefused("""
                {"requirements": [{"type": "assert-table-uuid", "uuid": "x", "unless": 1}], "updates": []}""", "requirements[0]: unknown field \"unless\" in requirement assert-table-uuid");
    }

    @Test
    void anUnknownUpdateIsRefusedWithItsPlace() {
        assertRefused("""
                {"requirements": [], "updates": [{"action": "set-location", "location": "x"}, {"action": "fly"}]}""", "updates[1]: ", "fly");
    }

    @Test
    void aMissingFieldOfAnUpdateIsNamed() {
        assertRefused("""
                {"requirements": [], "updates": [{"action": "set-current-schema"}]}""", "updates[0]: ", "schema-id");
    }

    @Test
    void aCommitWithoutRequirementsOrUpdatesIsRefused() {
        assertRefused("{\"updates\": []}", "requirements is missing or not a list");
        assertRefused("{\"requirements\": []}", "updates is missing or not a list");
        assertRefused("{\"requirements\": {}, \"updates\": []}", "requirements is missing or not a list");
    }

    @Test
    void aTransactionsChangeSaysWhichOneIsWrong() {
        JsonNode node = Json.object("{\"requirements\": [7], \"updates\": []}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> TableChange.parse(node, "table-changes[3]"))
                .isInstanceOf(HttpProblem.class)
                .hasMessageStartingWith("table-changes[3].requirements[0]: ");
    }

    @Test
    void aFormatVersionThatIsNotSupportedIsRefused() {
        assertRefused("""
                {"requirements": [], "updates": [{"action": "upgrade-format-version", "format-version": 4}]}""", "updates[0]: Format version 4 is not supported");
    }

    private static TableChange parse(String json) {
        return TableChange.parse(Json.object(json.getBytes(StandardCharsets.UTF_8)), "");
    }

    private static void assertRefused(String json, String... parts) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOfSatisfying(
                        HttpProblem.class,
                        problem -> assertThat(problem.status()).isEqualTo(400))
                .hasMessageContainingAll(parts);
    }
}
