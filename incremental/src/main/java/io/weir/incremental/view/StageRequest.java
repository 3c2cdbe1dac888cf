package io.weir.incremental.view;

import java.util.Map;

/** One stage of a flow to be moved: the view, its plan, what its sources did (by qualified name), where its rows go. */
public record StageRequest(String viewId, ViewPlan plan, Map<String, SourceInput> sources, ViewTarget target) {
    public StageRequest {
        sources = Map.copyOf(sources);
    }
}
