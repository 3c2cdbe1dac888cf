package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.MeteredFileIO;
import io.weir.store.MeteredStore;
import io.weir.store.ObjectStores;
import io.weir.store.StoreMeter.Request;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a commit costs in requests to the store, exactly: at a distance requests are what a commit's time is made of. The
 * writer's own requests are not among them.
 */
class StoreRequestsTest {
    private static final Caller TEST = new Caller("test", "junit");
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));

    private final InMemoryFileIO files = new InMemoryFileIO();
    private final RequestCounts requests = new RequestCounts();
    private final Lake lake = Lake.open(
            LakeOptions.named("test"),
            MeteredStore.of(ObjectStores.memory(), requests),
            MeteredFileIO.of(files, requests),
            Derivation.none());

    @AfterEach
    void close() {
        lake.close();
    }

    private OutsideWriter writer(String table, int formatVersion) {
        TableIdentifier name = TableIdentifier.of("default", table);
        if (lake.state().table(name).isEmpty()) {
            commit(new Action.CreateTable(
                    name,
                    TableMetadata.newTableMetadata(
                            SCHEMA,
                            PartitionSpec.unpartitioned(),
                            lake.newLocation(name),
                            Map.of("format-version", Integer.toString(formatVersion)))));
        }
        OutsideWriter writer = new OutsideWriter(lake, name, files);
        requests.sinceLastLook();
        return writer;
    }

    private void commit(Action... actions) {
        assertThat(lake.commit(LakeRequest.of(TEST, actions))).isInstanceOf(CommitOutcome.Committed.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anAppendReadsItsTwoFilesAndWritesTheTableAndTheEntry(int formatVersion) {
        OutsideWriter writer = writer("t", formatVersion);
        for (int i = 0; i < 5; i++) {
            Action append = writer.append();
            requests.sinceLastLook();
            commit(append);
            assertThat(requests.sinceLastLook())
                    .isEqualTo(Map.of(Request.READ, 2, Request.WRITE, 1, Request.CREATE, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aStaleAppendWritesAManifestListMoreWhateverCameBeforeIt(int formatVersion) {
        OutsideWriter first = writer("t", formatVersion);
        OutsideWriter second = writer("t", formatVersion);
        commit(first.append());
        commit(first.append());
        requests.sinceLastLook();
        commit(second.append());
        assertThat(requests.sinceLastLook()).isEqualTo(Map.of(Request.READ, 2, Request.WRITE, 2, Request.CREATE, 1));
        for (int i = 0; i < 3; i++) {
            commit(second.append());
            assertThat(requests.sinceLastLook())
                    .as("the list of the head, which was made here, is read once more")
                    .isEqualTo(Map.of(Request.READ, 3, Request.WRITE, 2, Request.CREATE, 1));
        }
    }

    @Test
    void aCommitToThreeTablesIsOneEntry() {
        List<OutsideWriter> writers = List.of(writer("a", 2), writer("b", 2), writer("c", 3));
        Action[] appends = writers.stream().map(OutsideWriter::append).toArray(Action[]::new);
        commit(appends);
        assertThat(requests.sinceLastLook()).isEqualTo(Map.of(Request.READ, 6, Request.WRITE, 3, Request.CREATE, 1));
    }

    @Test
    void aRetryOfWhatIsAppliedWritesNothing() {
        Action append = writer("t", 2).append();
        commit(append);
        requests.sinceLastLook();
        commit(append);
        assertThat(requests.sinceLastLook()).doesNotContainKeys(Request.WRITE, Request.CREATE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aWriterThatDoesNotLookWhatItsCommitsBecameLosesNothing(int formatVersion) {
        OutsideWriter unaware = writer("t", formatVersion);
        OutsideWriter other = writer("t", formatVersion);
        commit(other.append());
        commit(other.append());
        commit(unaware.append());
        commit(unaware.append());
        commit(unaware.append());
        TableMetadata table = lake.metadata(
                lake.state().table(TableIdentifier.of("default", "t")).orElseThrow());
        assertThat(table.currentSnapshot().allManifests(files)).hasSize(5);
        assertThat(table.currentSnapshot().summary()).containsEntry("total-records", "5");
    }
}
