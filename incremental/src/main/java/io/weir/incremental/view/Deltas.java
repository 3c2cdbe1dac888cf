package io.weir.incremental.view;

import io.weir.incremental.FileRows;
import io.weir.incremental.PositionDeletes;
import io.weir.incremental.TableRows;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Quoting;
import io.weir.incremental.engine.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
        List<FileRows> arriving = except(change.added(), before);
        List<FileRows> leaving = except(change.removed(), after);
        Schema schema = change.added().isEmpty()
                ? change.removed().schema()
                : change.added().schema();
        List<Relation> left = new ArrayList<>();
        if (!leaving.isEmpty()) {
            left.add(rows(schema, leaving));
        }
        for (FileRows file : change.removed().files()) {
            if (after.containsKey(file.location())) {
                left.add(hit(schema, file, after.get(file.location())));
            }
        }
        return new Delta(rows(schema, arriving), union(left), count(arriving) + count(leaving));
    }

    private Relation rows(Schema schema, List<FileRows> files) {
        return new Relation("SELECT " + columns(schema) + ", __row_id FROM "
                + session.rows(new TableRows(schema, files), true).as("f"));
    }

    /** The rows of a file that its new deletes took. */
    private Relation hit(Schema schema, FileRows before, FileRows after) {
        String rows = session.rows(new TableRows(schema, List.of(before)), true).as("f");
        String condition = newPositions(before, after)
                .map(positions -> "f.__pos IN (" + positions + ")")
                .orElseGet(() -> "f.__pos NOT IN (SELECT __pos FROM "
                        + session.rows(new TableRows(schema, List.of(after)), true)
                                .as("kept") + ")");
        return new Relation("SELECT " + columns(schema) + ", __row_id FROM " + rows + " WHERE " + condition);
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
