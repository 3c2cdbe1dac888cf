package io.weir.incremental.view;

import io.weir.incremental.engine.Engine;

/** Moves views. It keeps nothing a restart would miss: what it holds between units are copies of state. */
public final class ViewEngine {
    private final Engine engine;
    private final ViewSettings settings;
    private final StateCache cache;

    public ViewEngine(Engine engine, ViewSettings settings) {
        this.engine = engine;
        this.settings = settings;
        this.cache = new StateCache(settings.cachedRows());
    }

    public UnitOfWork begin() {
        return new StageRunner(engine.session(), settings, cache);
    }
}
