package io.weir.incremental.view;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import io.weir.incremental.engine.EngineSession;
import io.weir.incremental.engine.Relation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The unit of work: finds each stage its input and its state, runs it, and remembers what the next ones need of it. */
final class StageRunner implements UnitOfWork {
    private final Workspace workspace;
    private final EngineSession session;
    private final ViewSettings settings;
    private final StateCache cache;
    private final Map<String, Delta> moved = new HashMap<>();
    private final Set<String> unmoved = new HashSet<>();
    private final Map<String, PendingFile> written = new HashMap<>();
    private final Map<String, StateCache.Copy> copies = new HashMap<>();
    private final HeapCache heapCache;
    private final Map<String, HeapState> heap = new HashMap<>();

    /** Tables of copies that this unit took from the cache or made, and that no copy in the cache needs. */
    private final Set<String> tables = new HashSet<>();

    private boolean accepted;

    StageRunner(Workspace workspace, ViewSettings settings, StateCache cache, HeapCache heapCache) {
        this.workspace = workspace;
        this.session = workspace.session();
        this.settings = settings;
        this.cache = cache;
        this.heapCache = heapCache;
    }

    @Override
    public StageOutcome advance(StageRequest request) {
        StageContext context = new StageContext(workspace, request);
        moved.remove(request.viewId());
        unmoved.remove(request.viewId());
        PendingFile before = written.remove(request.viewId());
        if (before != null) {
            before.await();
        }
        Inputs inputs = new Inputs(session, request.sources(), this::changeOf);
        try {
            StageResult result = switch (request.plan().stage()) {
                case RowStage rows -> rows(context, inputs, rows);
                case CombinedStage rows -> combined(context, inputs, rows);
                case GroupStage groups -> groups(context, inputs, request, groups);
            };
            result.delta()
                    .ifPresentOrElse(delta -> moved.put(request.viewId(), delta), () -> unmoved.add(request.viewId()));
            if (result.outcome() instanceof StageOutcome.Moved step) {
                step.added().ifPresent(file -> written.put(request.viewId(), file));
            }
            return result.outcome();
        } catch (EngineException e) {
            if (e.state() == SqlState.INTERNAL_ERROR || e.code().startsWith("42")) {
                throw e;
            }
            return new StageOutcome.Failed(e.code(), e.getMessage(), new Culprit(context, inputs).find());
        }
    }

    private StageResult rows(StageContext context, Inputs inputs, RowStage stage) {
        Optional<Delta> delta = inputs.delta(stage.source());
        return delta.isEmpty()
                ? context.unchanged(context.nothing(), 0)
                : new RowAdvance(context, settings, stage).run(delta.get());
    }

    private StageResult combined(StageContext context, Inputs inputs, CombinedStage stage) {
        Optional<Delta> delta =
                new FromChanges(context, inputs).of(stage.from()).delta();
        return delta.isEmpty()
                ? context.unchanged(context.nothing(), 0)
                : new CombinedAdvance(context, settings, stage).run(delta.get());
    }

    private StageResult groups(StageContext context, Inputs inputs, StageRequest request, GroupStage stage) {
        GroupInput input = GroupInput.of(context, inputs, stage.from());
        if (input.delta().isEmpty() && !stage.isGlobal()) {
            return context.unchanged(context.nothing(), 0);
        }
        Delta delta = input.delta().orElseGet(input.nothing());
        Optional<StageResult> onHeap = onHeap(context, request, input.after(), delta);
        if (onHeap.isPresent()) {
            return onHeap.get();
        }
        GroupState state = GroupState.open(context, this::newTable, settings, copy(request));
        StageResult result = new GroupAdvance(context, settings, stage, state, input.after()).run(delta);
        state.copy().ifPresent(copy -> {
            if (result.outcome() instanceof StageOutcome.Moved || result.outcome() instanceof StageOutcome.Unchanged) {
                copies.put(request.viewId(), copy);
            }
        });
        return result;
    }

    private Optional<StageResult> onHeap(
            StageContext context, StageRequest request, Supplier<Relation> after, Delta delta) {
        Optional<HeapPlan> plan = settings.heapBytes() == 0 ? Optional.empty() : HeapPlan.of(request.plan());
        if (plan.isEmpty()) {
            return Optional.empty();
        }
        String token = request.target().stateToken();
        Optional<HeapState> known = Optional.ofNullable(heap.remove(request.viewId()))
                .filter(state -> state.token().equals(token))
                .or(() -> heapCache.get(request.viewId(), token));
        Optional<HeapAdvance.Advanced> advanced =
                new HeapAdvance(context, settings, plan.get(), after).run(known, delta);
        advanced.ifPresent(moved -> {
            heap.put(request.viewId(), moved.state());
            forgetCopy(request.viewId());
        });
        return advanced.map(HeapAdvance.Advanced::result);
    }

    /** The engine's copy of a state that is on the heap now is out of date, and would only take room. */
    private void forgetCopy(String viewId) {
        Optional.ofNullable(copies.remove(viewId)).or(() -> cache.take(viewId)).ifPresent(copy -> {
            copy.made().giveUp();
            tables.add(copy.table());
        });
    }

    private String newTable() {
        String table = cache.newTable();
        tables.add(table);
        return table;
    }

    /** The copy of the view's state, where there is one and it is that state. */
    private Optional<StateCache.Copy> copy(StageRequest request) {
        Optional<StateCache.Copy> known =
                Optional.ofNullable(copies.remove(request.viewId())).or(() -> cache.take(request.viewId()));
        known.ifPresent(copy -> tables.add(copy.table()));
        return known.filter(copy -> copy.token().equals(request.target().stateToken()))
                .filter(copy -> copy.made().isDone());
    }

    private Optional<Delta> changeOf(String viewId) {
        if (!moved.containsKey(viewId) && !unmoved.contains(viewId)) {
            throw new IllegalStateException("view " + viewId + " has not been advanced in this unit of work");
        }
        return Optional.ofNullable(moved.get(viewId));
    }

    @Override
    public void accept() {
        written.values().forEach(PendingFile::await);
        heapCache.put(heap);
        copies.values().forEach(copy -> tables.remove(copy.table()));
        tables.addAll(cache.put(copies));
        copies.clear();
        accepted = true;
    }

    @Override
    public void await() {
        workspace.await();
    }

    @Override
    public void close() {
        workspace.close(List.copyOf(tables), accepted);
    }
}
