package io.weir.coordinator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.store.ObjectStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadata;

/** The lake this server leads. Opening it makes this server the leader and cuts off every earlier one. */
final class LiveLake implements Lake {
    private static final int STATES_KEPT = 10_000;
    private static final int PAST_STATES_KEPT = 16;

    private final String name;
    private final String root;
    private final StagedFiles files;
    private final WholeFiles incoming;
    private final ObjectStore store;
    private final LakeHistory history;
    private final LogKeeper keeper;
    private final TableMetadataFiles metadataFiles;
    private final ViewMetadataFiles viewFiles;
    private final Clock clock;
    private final CommitLimits limits;
    private final CommitMeter meter;
    private final Admission admission;
    private final Coordinator coordinator;

    /** States share almost everything, so the last ones are kept: reading the past seldom reads the log. */
    private final ConcurrentSkipListMap<Long, CatalogState> states = new ConcurrentSkipListMap<>();

    /** States read from the store; they share nothing with the others, so they go when memory is short. */
    private final Cache<Version, CatalogState> past =
            Caffeine.newBuilder().maximumSize(PAST_STATES_KEPT).softValues().build();

    private LiveLake(LakeOptions options, ObjectStore store, FileIO io, Derivation derivation) {
        this.name = options.name();
        this.root = store.root();
        this.store = store;
        this.files = new StagedFiles(io);
        this.incoming = new WholeFiles(files);
        CommitLog log = new CommitLog(store);
        LogStart start = new LogStart(store);
        Checkpoints checkpoints = new Checkpoints(store);
        this.history = new LakeHistory(log, start, checkpoints);
        this.metadataFiles = new TableMetadataFiles(files);
        this.viewFiles = new ViewMetadataFiles(files);
        this.clock = options.clock();
        this.meter = options.meter();
        this.admission = new Admission(options.limits(), meter);
        this.limits = options.limits();
        CatalogState state = new Leader(log, start, history, clock).take(name + " at " + root, options.node());
        states.put(state.version().number(), state);
        this.keeper = new LogKeeper(
                checkpoints,
                new LogRetention(log, start, checkpoints, options.log().retention()),
                options.log().checkpointEvery(),
                clock);
        keeper.offer(state);
        this.coordinator = new Coordinator(
                state,
                state.epoch(),
                new CommitGroup(files, metadataFiles, viewFiles, derivation, meter),
                log,
                history,
                metadataFiles,
                clock,
                this::publish,
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name("weir-log-writer").daemon().factory()),
                options.limits(),
                meter);
    }

    static LiveLake open(LakeOptions options, ObjectStore store, FileIO io, Derivation derivation) {
        LiveLake lake = new LiveLake(options, store, io, derivation);
        lake.coordinator.start();
        return lake;
    }

    private void publish(CatalogState state) {
        states.put(state.version().number(), state);
        while (states.size() > STATES_KEPT) {
            states.pollFirstEntry();
        }
        keeper.offer(state);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String root() {
        return root;
    }

    @Override
    public FileIO io() {
        return files;
    }

    @Override
    public CatalogState state() {
        return states.lastEntry().getValue();
    }

    @Override
    public Optional<CatalogState> stateAt(Version version) {
        if (version.compareTo(state().version()) > 0) {
            return Optional.empty();
        }
        Optional<CatalogState> nearest =
                Optional.ofNullable(states.floorEntry(version.number())).map(Map.Entry::getValue);
        if (nearest.filter(state -> state.version().equals(version)).isPresent()) {
            return nearest;
        }
        CatalogState known = past.getIfPresent(version);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<CatalogState> read = history.at(version, nearest);
        read.ifPresent(state -> past.put(version, state));
        return read;
    }

    @Override
    public TableMetadata metadata(TableEntry table) {
        return metadataFiles.read(table.metadataLocation());
    }

    @Override
    public ViewMetadata metadata(LogicalView view) {
        return viewFiles.read(view.metadataLocation());
    }

    @Override
    public UnknownFields unknownFields(TableEntry table) {
        return metadataFiles.unknown(table.metadataLocation());
    }

    @Override
    public UnknownFields unknownFields(LogicalView view) {
        return viewFiles.unknown(view.metadataLocation());
    }

    @Override
    public CommitOutcome commit(LakeRequest request) {
        long start = System.nanoTime();
        CommitOutcome outcome = admission
                .enter(PreparedRequest.lane(request))
                .map(place -> admitted(request, place))
                .orElseGet(() -> overloaded(admission.waiting() + " commits are under way of " + limits.commits()
                        + " at most, and most of them may be of the same table"));
        meter.ended(outcome, since(start));
        return outcome;
    }

    private CommitOutcome admitted(LakeRequest request, Admission.Place place) {
        try (place) {
            long start = System.nanoTime();
            request.actions().forEach(this::readView);
            PreparedRequest prepared =
                    PreparedRequest.read(request, clock.instant(), incoming, name -> specs(state(), name));
            meter.step(CommitMeter.Step.READ, since(start));
            if (!place.take(prepared.bytes())) {
                return overloaded("the commits under way take the memory they may take (" + limits.bytes() + " bytes)");
            }
            return coordinator.commit(prepared);
        } catch (RequestRejectedException e) {
            return e.outcome();
        }
    }

    private static CommitOutcome overloaded(String why) {
        return new CommitOutcome.Overloaded(
                "The lake takes in no more commits just now: " + why
                        + ". Nothing was applied; try again, with fewer writers at once or more files in each commit",
                Coordinator.RETRY_AFTER);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** So that the coordinator's thread finds it read. */
    private void readView(Action action) {
        if (action instanceof Action.UpdateView update) {
            state().logicalView(update.name()).ifPresent(this::metadata);
        }
    }

    private Map<Integer, PartitionSpec> specs(CatalogState state, TableIdentifier table) {
        return state.table(table).map(entry -> metadata(entry).specsById()).orElse(Map.of());
    }

    @Override
    public Preview preview(CatalogState base, List<Action> actions) {
        StagedFiles.Batch batch = files.batch();
        try {
            Draft draft = Draft.on(base.at(base.version().next(), base.epoch(), clock.instant()));
            TableCommits tables = new TableCommits(batch, metadataFiles, Preview::engine, clock.instant());
            PreparedRequest request = PreparedRequest.read(
                    new LakeRequest(Caller.WEIR, actions), clock.instant(), files, name -> specs(base, name));
            return new RequestApplier(batch, metadataFiles, viewFiles, tables).apply(draft, request);
        } finally {
            batch.discard();
        }
    }

    @Override
    public String newLocation(TableIdentifier table) {
        return Locations.newTable(root, table);
    }

    @Override
    public void close() {
        coordinator.close();
        keeper.close();
        files.close();
        store.close();
    }
}
