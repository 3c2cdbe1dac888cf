package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;

/** A state that went through a checkpoint is the state it was. */
class CheckpointTest {
    private final ObjectStore store = ObjectStores.memory();
    private final CommitLog log = new CommitLog(store);
    private final Checkpoints checkpoints = new Checkpoints(store);
    private final LakeHistory history = new LakeHistory(log, new LogStart(store), checkpoints);

    private static CatalogState decoded(CatalogState state) {
        CheckpointCodec.Decoded decoded = CheckpointCodec.decode("key", CheckpointCodec.encode(state));
        assertThat(decoded).isInstanceOf(CheckpointCodec.Decoded.Whole.class);
        return ((CheckpointCodec.Decoded.Whole) decoded).state();
    }

    /** Parts by name first: what differs is then said. */
    static void assertSame(CatalogState actual, CatalogState expected, String where) {
        assertThat(actual.tablesById()).as(where).isEqualTo(expected.tablesById());
        assertThat(actual.followersById()).as(where).isEqualTo(expected.followersById());
        assertThat(actual.dropped()).as(where).isEqualTo(expected.dropped());
        assertThat(actual.answered()).as(where).isEqualTo(expected.answered());
        assertThat(actual.index()).as(where).isEqualTo(expected.index());
        assertThat(actual).as(where).isEqualTo(expected);
    }

    @Test
    void anyStateComesBackFromACheckpointAsItWas() {
        for (int seed = 0; seed < 300; seed++) {
            RandomLake lake = new RandomLake(seed);
            CatalogState restored = CatalogState.EMPTY;
            for (int step = 0; step < 40; step++) {
                restored = restored.apply(lake.next());
                if (step % 7 == 3) {
                    restored = decoded(restored);
                }
                if (step % 10 == 9) {
                    assertSame(restored, lake.state(), "seed " + seed + ", step " + step);
                }
            }
            assertSame(decoded(restored), lake.state(), "seed " + seed + ", lineage never looked at");
        }
    }

    @Test
    void checkpointAndTailGiveTheStateOfTheWholeLogAtEveryVersion() {
        for (int seed = 0; seed < 20; seed++) {
            ObjectStore lakeStore = ObjectStores.memory();
            CommitLog lakeLog = new CommitLog(lakeStore);
            Checkpoints lakeCheckpoints = new Checkpoints(lakeStore);
            LakeHistory read = new LakeHistory(lakeLog, new LogStart(lakeStore), lakeCheckpoints);
            Random random = new Random(seed);
            RandomLake lake = new RandomLake(seed);
            List<CatalogState> states = new ArrayList<>(List.of(CatalogState.EMPTY));
            for (int step = 0; step < 60; step++) {
                assertThat(lakeLog.append(lake.next())).isInstanceOf(CommitLog.Appended.Done.class);
                states.add(lake.state());
                if (random.nextInt(12) == 0) {
                    lakeCheckpoints.write(lake.state());
                }
            }
            assertSame(read.newest(), lake.state(), "seed " + seed);
            for (CatalogState state : states) {
                CatalogState found =
                        read.at(state.version(), java.util.Optional.empty()).orElseThrow();
                assertSame(found, state, "seed " + seed + " at " + state.version());
            }
        }
    }

    @Test
    void aCheckpointOfWhichAnythingIsMissingOrChangedIsNotRead() {
        RandomLake lake = lake(40);
        byte[] whole = CheckpointCodec.encode(lake.state());
        Random random = new Random(1);
        for (int i = 0; i < 400; i++) {
            byte[] damaged = whole.clone();
            int at = i < 150 ? i : random.nextInt(whole.length);
            if (i % 2 == 0) {
                damaged = java.util.Arrays.copyOf(whole, at);
            } else {
                damaged[at] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                assertThat(CheckpointCodec.decode("key", damaged))
                        .as("damage %s at %s", i, at)
                        .isInstanceOf(CheckpointCodec.Decoded.Damaged.class);
            } catch (IllegalStateException otherFormat) {
                assertThat(at)
                        .as("only the format's digit may look like another format")
                        .isBetween(15, 17);
                assertThat(otherFormat).hasMessageContaining("written by another version");
            }
        }
    }

    @Test
    void aCheckpointOfTheFirstFormatHasItsLineagesAmongItsFactsAndIsStillRead() throws Exception {
        CatalogState state = lake(60).state();
        ByteArrayOutputStream facts = new ByteArrayOutputStream();
        line(facts, "namespace", new CheckpointLine.OfNamespace(CatalogState.DEFAULT_NAMESPACE, java.util.Map.of()));
        CatalogState expected = CatalogState.EMPTY;
        for (TableEntry table : state.tablesById().values()) {
            line(facts, "table", CheckpointLine.Table.of(table));
            facts.writeBytes("lineage ".getBytes(StandardCharsets.UTF_8));
            facts.writeBytes(table.lineage().encoded());
            facts.write('\n');
            expected = expected.withTable(table);
        }
        ByteArrayOutputStream gzipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(gzipped)) {
            facts.writeTo(gzip);
        }
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        rest.writeBytes(("{\"version\":60,\"epoch\":3,\"committedAt\":\"2026-01-01T00:00:00Z\",\"blocks\":[{\"bytes\":"
                        + gzipped.size() + ",\"rawBytes\":" + facts.size() + "}]}\n")
                .getBytes(StandardCharsets.UTF_8));
        gzipped.writeTo(rest);
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(rest.toByteArray()));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(("weir-checkpoint 1 " + digest + " " + rest.size() + "\n").getBytes(StandardCharsets.UTF_8));
        rest.writeTo(whole);
        CheckpointCodec.Decoded decoded = CheckpointCodec.decode("key", whole.toByteArray());
        assertThat(state.tablesById()).isNotEmpty();
        assertThat(decoded)
                .isEqualTo(new CheckpointCodec.Decoded.Whole(
                        expected.at(new Version(60), 3, Instant.parse("2026-01-01T00:00:00Z"))));
    }

    private static void line(ByteArrayOutputStream facts, String word, Object value) throws Exception {
        facts.writeBytes((word + " ").getBytes(StandardCharsets.UTF_8));
        facts.writeBytes(EntryCodec.mapper().writeValueAsBytes(value));
        facts.write('\n');
    }

    @Test
    void lineagesOfManyBlocksAreEachTheirTablesOwnHoweverTheyAreAskedFor() {
        CatalogState state = CatalogState.EMPTY;
        for (int i = 0; i < 3_000; i++) {
            String id = "id-" + i;
            String location = "s3://lake/" + i;
            Lineage.Stamp stamp = new Lineage.Stamp(i + 1, Instant.EPOCH.plusSeconds(i));
            java.util.Map<String, Long> files = new java.util.HashMap<>();
            for (int file = 0; file < 8; file++) {
                files.put(location + "/data/a-file-of-the-table-" + file + "-" + i + ".parquet", 10L * file);
            }
            state = state.withTable(new TableEntry(
                    id,
                    TableIdentifier.of("default", id),
                    location + "/metadata/1.json",
                    location,
                    Lineage.EMPTY.plus(new Lineage.Facts(
                            80 + i, List.of(new Lineage.Range(0, 80 + i, stamp)), java.util.Map.of(1L, stamp), files)),
                    java.util.Optional.empty(),
                    Instant.EPOCH,
                    Instant.EPOCH));
        }
        CatalogState unread = decoded(state);
        CatalogState read = decoded(unread);
        for (int i = 2_999; i >= 0; i -= 7) {
            String id = "id-" + i;
            assertThat(read.tableById(id).orElseThrow().lineage().nextRowId()).isEqualTo(80 + i);
        }
        Lineage.Stamp later = new Lineage.Stamp(9_999, Instant.EPOCH);
        for (int times = 1; times < 100; times++) {
            Lineage.Facts facts = new Lineage.Facts(
                    5_000 + times,
                    List.of(new Lineage.Range(4_999 + times, 1, later)),
                    java.util.Map.of(1L + times, later),
                    java.util.Map.of("f" + times, 4_999L + times));
            TableEntry expected = state.tableById("id-1").orElseThrow();
            TableEntry unasked = unread.tableById("id-1").orElseThrow();
            state = state.withTable(
                    expected.committed("m", "l", expected.lineage().plus(facts), Instant.EPOCH));
            unread = unread.withTable(
                    unasked.committed("m", "l", unasked.lineage().plus(facts), Instant.EPOCH));
        }
        assertSame(decoded(unread), state, "with facts behind a lineage nobody asked for");
        assertSame(unread, state, "asked for in the end");
    }

    @Test
    void aDamagedCheckpointIsPassedOverForTheOneBeforeOrForTheLog() {
        RandomLake lake = lake(10);
        CheckpointName first = checkpoints.write(lake.state());
        append(lake, 10);
        CheckpointName second = checkpoints.write(lake.state());
        append(lake, 3);
        store.put(second.key(), new byte[0]);
        assertSame(history.newest(), lake.state(), "the second is empty");
        store.put(first.key(), "weir-checkpoint 1 00 5\nhello".getBytes(StandardCharsets.UTF_8));
        assertSame(history.newest(), lake.state(), "both are damaged");
        store.put(second.key(), CheckpointCodec.encode(CatalogState.EMPTY));
        assertSame(history.newest(), lake.state(), "one holds another version");
    }

    @Test
    void aCheckpointOfANewerFormatStopsTheStartWithWhatToDo() {
        RandomLake lake = lake(5);
        CheckpointName name = checkpoints.write(lake.state());
        store.put(name.key(), "weir-checkpoint 3 anything at all\n".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(history::newest)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(name.key())
                .hasMessageContaining("has format 3, this Weir reads formats 1 to 2")
                .hasMessageContaining("run that version or a newer one");
    }

    @Test
    void anEntryOfANewerFormatStopsTheStartWithWhatToDo() {
        lake(5);
        store.put(CommitLog.key(6), "{\"format\":2,\"whatever\":1}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(history::newest)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(CommitLog.key(6))
                .hasMessageContaining("has format 2, this Weir reads format 1")
                .hasMessageContaining("run that version or a newer one");
    }

    private RandomLake lake(int entries) {
        RandomLake lake = new RandomLake(entries);
        append(lake, entries);
        return lake;
    }

    private void append(RandomLake lake, int entries) {
        for (int i = 0; i < entries; i++) {
            assertThat(log.append(lake.next())).isInstanceOf(CommitLog.Appended.Done.class);
        }
    }
}
