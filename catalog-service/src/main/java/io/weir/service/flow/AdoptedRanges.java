package io.weir.service.flow;

import io.weir.coordinator.FlowEntry;
import io.weir.coordinator.Lineage;
import io.weir.coordinator.TableEntry;
import java.util.List;

/** Which of its sources' row ids a view may take over with a move: its rows are created when theirs are. */
final class AdoptedRanges {
    private static final String ROWS = "rows";

    private AdoptedRanges() {}

    static List<Lineage.Range> of(FlowEntry flow, List<TableEntry> sources, Lineage view) {
        if (!flow.kind().equals(ROWS)) {
            return List.of();
        }
        long known = view.ranges().isEmpty() ? -1 : view.ranges().lastKey();
        return sources.stream()
                .flatMap(source -> source.lineage().ranges().tailMap(known, false).values().stream())
                .toList();
    }
}
