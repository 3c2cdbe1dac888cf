package io.weir.incremental.view;

import io.weir.incremental.FileRows;
import io.weir.incremental.PositionDeletes;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Quoting;
import io.weir.incremental.engine.Relation;
import io.weir.incremental.engine.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.iceberg.Schema;

/** Turns the files a commit touched into the rows that left and arrived. */
final class Deltas {
    /** New deletes of a file up to this many are looked up by position; more are told by reading the file twice. */
    private static final int POSITIONS_LISTED = 10_000;

    private final EngineSession session;

    Deltas(EngineSession session) {
        this.session = session;
    }

    Delta of(Change.OfFiles change) {
        Map<String, FileRows> before = byLocation(change.removed());
        Map<String, FileRows> after = byLocation(change.added());
        Schema schema = change.added().isEmpty()
                ? change.removed().schema()
                : change.added().schema();
        List<FileRows> arriving = except(change.added(), before);
        List<FileRows> leaving = except(change.removed(), after);
        List<Relation> arrived = new ArrayList<>();
        List<Relation> left = new ArrayList<>();
        long rows = count(arriving) + count(leaving);
        if (!arriving.isEmpty()) {
            arrived.add(rows(schema, arriving));
        }
        if (!leaving.isEmpty()) {
            left.add(rows(schema, leaving));
        }
        for (FileRows old : change.removed().files()) {
            FileRows now = after.get(old.location());
            if (now != null) {
                rows += hit(schema, old, now, left);
                rows += covers(now, old) ? 0 : hit(schema, now, old, arrived);
            }
        }
        Relation none = new Relation("SELECT " + columns(schema) + ", __row_id FROM "
                + session.rows(TableRows.none(schema), true).as("f"));
        return new EngineDelta(union(arrived).orElse(none), union(left), rows);
    }

    private Relation rows(Schema schema, List<FileRows> files) {
        return new Relation("SELECT " + columns(schema) + ", __row_id FROM "
                + session.rows(new TableRows(schema, files), true).as("f"));
    }

    /** Adds the rows of a file that its other deletes hit; answers how many they are. */
    private long hit(Schema schema, FileRows file, FileRows other, List<Relation> hits) {
        String rows = session.rows(new TableRows(schema, List.of(file)), true).as("f");
        String condition = newPositions(file, other)
                .map(positions -> "f.__pos IN (" + positions + ")")
                .orElseGet(() -> "f.__pos NOT IN (SELECT __pos FROM "
                        + session.rows(new TableRows(schema, List.of(other)), true)
                                .as("kept") + ")");
        String hit = " FROM " + rows + " WHERE " + condition;
        try (Rows counted = session.query("SELECT count(*)" + hit)) {
            counted.next();
            long count = counted.number(0);
            if (count > 0) {
                hits.add(new Relation("SELECT " + columns(schema) + ", __row_id" + hit));
            }
            return count;
        }
    }

    /** Whether all that {@code old} deletes is surely deleted by {@code now}: nothing comes back. */
    private static boolean covers(FileRows now, FileRows old) {
        long[] positions = now.positionDeletes().stream()
                .flatMapToLong(deletes -> deletes instanceof PositionDeletes.Positions listed
                        ? Arrays.stream(listed.sorted())
                        : LongStream.empty())
                .sorted()
                .toArray();
        return now.equalityDeletes().containsAll(old.equalityDeletes())
                && old.positionDeletes().stream().allMatch(deletes -> switch (deletes) {
                    case PositionDeletes.InFile file -> now.positionDeletes().contains(file);
                    case PositionDeletes.Positions listed ->
                        Arrays.stream(listed.sorted())
                                .allMatch(position -> Arrays.binarySearch(positions, position) >= 0);
                });
    }

    /** The positions newly deleted, where nothing but positions was and they are few. */
    private static Optional<String> newPositions(FileRows before, FileRows after) {
        Set<PositionDeletes> known = new HashSet<>(before.positionDeletes());
        if (!after.equalityDeletes().equals(before.equalityDeletes())) {
            return Optional.empty();
        }
        List<Long> positions = new ArrayList<>();
        for (PositionDeletes deletes : after.positionDeletes()) {
            if (known.contains(deletes)) {
                continue;
            }
            switch (deletes) {
                case PositionDeletes.Positions listed -> {
                    if (positions.size() + listed.sorted().length > POSITIONS_LISTED) {
                        return Optional.empty();
                    }
                    for (long position : listed.sorted()) {
                        positions.add(position);
                    }
                }
                case PositionDeletes.InFile file -> {
                    return Optional.empty();
                }
            }
        }
        return positions.isEmpty()
                ? Optional.of("NULL")
                : Optional.of(positions.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    private static Optional<Relation> union(List<Relation> relations) {
        return relations.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Relation(relations.stream().map(Relation::sql).collect(Collectors.joining(" UNION ALL "))));
    }

    private static Map<String, FileRows> byLocation(TableRows rows) {
        Map<String, FileRows> files = new LinkedHashMap<>();
        rows.files().forEach(file -> files.put(file.location(), file));
        return files;
    }

    private static List<FileRows> except(TableRows rows, Map<String, FileRows> others) {
        return rows.files().stream()
                .filter(file -> !others.containsKey(file.location()))
                .toList();
    }

    private static long count(List<FileRows> files) {
        return files.stream().mapToLong(FileRows::recordCount).sum();
    }

    private static String columns(Schema schema) {
        return schema.columns().stream()
                .map(field -> Quoting.name(field.name()))
                .collect(Collectors.joining(", "));
    }
}
