package io.weir.incremental.view;

import io.weir.incremental.engine.Engine;

/** Moves views. It keeps nothing a restart would miss: what it holds between units are copies of state. */
public final class ViewEngine {
    private final Engine engine;
    private final ViewSettings settings;
    private final StateCache cache;
    private final HeapCache heapCache;

    public ViewEngine(Engine engine, ViewSettings settings) {
        this.engine = engine;
        this.settings = settings;
        this.cache = new StateCache(settings.cachedRows());
        this.heapCache = new HeapCache(settings.heapBytes());
    }

    /** A unit each of whose stages is done, its file written, when its outcome is told. */
    public UnitOfWork begin() {
        return new StageRunner(new Workspace(engine, false), settings, cache, heapCache);
    }

    /**
     * A unit that works ahead: a stage's outcome is told, and the next stage may move, while its file is still being
     * written. What then fails is told by {@link PendingFile#await}, less exactly than {@link #begin} would.
     */
    public UnitOfWork beginAhead() {
        return new StageRunner(new Workspace(engine, true), settings, cache, heapCache);
    }
}
