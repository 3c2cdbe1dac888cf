package io.weir.incremental.view;

import java.util.List;
import java.util.Optional;

/**
 * Each row of the source gives one row of the view or none, under the same row id.
 *
 * @param source qualified name of what it reads
 * @param where over the source's columns
 * @param outputs over the source's columns, one for each column of the view, not yet cast to its type
 */
public record RowStage(String source, Optional<String> where, List<String> outputs) implements Stage {
    public RowStage {
        outputs = List.copyOf(outputs);
    }
}
