package io.weir.service.flow;

import io.weir.coordinator.Derivation;
import io.weir.incremental.engine.Engine;
import io.weir.incremental.view.ViewCompiler;
import io.weir.incremental.view.ViewEngine;
import io.weir.incremental.view.ViewSettings;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.rows.TableReader;

/** Fills the coordinator's port for what else belongs in a commit with the incremental engine. */
public final class FlowDerivation implements Derivation {
    private static final ViewSettings SETTINGS = ViewSettings.standard();

    private final Engine engine;
    private final Views views;
    private final ViewPlans plans;
    private final FileStage stage;
    private final DeleteWriter deletes;
    private final LiveFiles live = new LiveFiles();

    /** What moves views, by how much has changed. Each keeps its own copies of the views' state. */
    record Views(ViewEngine small, ViewEngine large) {
        /** More threads pay where a change is not gathered first. */
        ViewEngine forChangeOf(long rows) {
            return rows > SETTINGS.directRows() ? large : small;
        }
    }

    /**
     * For one lake.
     *
     * @param engine for keys and large changes
     * @param deltas for small changes; may be the same
     * @param stage where the lake's files are local
     * @param deletes writes to the lake
     */
    public FlowDerivation(Engine engine, Engine deltas, FileStage stage, DeleteWriter deletes) {
        this.engine = engine;
        this.views = new Views(new ViewEngine(deltas, SETTINGS), new ViewEngine(engine, SETTINGS));
        this.plans = new ViewPlans(new ViewCompiler(deltas));
        this.stage = stage;
        this.deletes = deletes;
    }

    @Override
    public Session begin(Group group, Pace pace) {
        TableReader reader = new TableReader(group.io(), stage);
        return new FlowSession(group, pace, engine, views, plans, reader, stage, deletes, live);
    }
}
