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
    private final Engine engine;
    private final ViewEngine views;
    private final ViewPlans plans;
    private final FileStage stage;
    private final DeleteWriter deletes;

    /**
     * For one lake.
     *
     * @param stage where the lake's files are local
     * @param deletes writes to the lake
     */
    public FlowDerivation(Engine engine, FileStage stage, DeleteWriter deletes) {
        this.engine = engine;
        this.views = new ViewEngine(engine, ViewSettings.standard());
        this.plans = new ViewPlans(new ViewCompiler(engine));
        this.stage = stage;
        this.deletes = deletes;
    }

    @Override
    public Session begin(Group group) {
        TableReader reader = new TableReader(group.io(), stage);
        return new FlowSession(group, engine, views, plans, reader, stage, deletes);
    }
}
