package io.weir.incremental.view;

import java.util.List;
import java.util.Optional;

/**
 * Each row of several sources combined gives one row of the view or none. Which row of the view it is, its identity tells:
 * the view's files hold it in hidden columns.
 *
 * @param where over the columns of {@code from}
 * @param outputs over the same, one for each column of the view, not yet cast to its type
 * @param identity the hidden columns of the row ids, in order
 */
public record CombinedStage(From from, Optional<String> where, List<String> outputs, List<String> identity)
        implements Stage {
    public CombinedStage {
        outputs = List.copyOf(outputs);
        identity = List.copyOf(identity);
    }
}
