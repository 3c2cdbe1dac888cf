package io.weir.coordinator;

import io.weir.coordinator.CommitLog.Appended;
import io.weir.store.ObjectStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lake this server leads. Opening it makes this server the leader and cuts off every earlier one. */
final class LiveLake implements Lake {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLake.class);
    private static final int STATES_KEPT = 10_000;

    private final String name;
    private final String root;
    private final StagedFiles files;
    private final ObjectStore store;
    private final CommitLog log;
    private final TableMetadataFiles metadataFiles;
    private final ViewMetadataFiles viewFiles;
    private final Clock clock;
    private final Coordinator coordinator;

    /** States share almost everything, so the last ones are kept: reading the past seldom reads the log. */
    private final ConcurrentSkipListMap<Long, CatalogState> states = new ConcurrentSkipListMap<>();

    private LiveLake(LakeOptions options, ObjectStore store, FileIO io, Derivation derivation) {
        this.name = options.name();
        this.root = store.root();
        this.store = store;
        this.files = new StagedFiles(io);
        this.log = new CommitLog(store);
        this.metadataFiles = new TableMetadataFiles(files);
        this.viewFiles = new ViewMetadataFiles(files);
        this.clock = options.clock();
        CatalogState state = lead(log.catchUp(CatalogState.EMPTY), options.node());
        states.put(state.version().number(), state);
        this.coordinator = new Coordinator(
                state,
                state.epoch(),
                new CommitGroup(files, metadataFiles, viewFiles, derivation),
                log,
                metadataFiles,
                clock,
                this::publish);
    }

    static LiveLake open(LakeOptions options, ObjectStore store, FileIO io, Derivation derivation) {
        LiveLake lake = new LiveLake(options, store, io, derivation);
        lake.coordinator.start();
        return lake;
    }

    /** The first entry of a leader raises the epoch: an older leader's next entry meets it and stops there. */
    private CatalogState lead(CatalogState seen, String node) {
        CatalogState state = seen;
        while (true) {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            LogEntry entry = new LogEntry(
                    LogEntry.FORMAT,
                    state.version().next().number(),
                    state.epoch() + 1,
                    UUID.randomUUID().toString(),
                    now.isBefore(state.committedAt()) ? state.committedAt() : now,
                    List.of(new Change.LeaderChanged(node)));
            switch (log.append(entry)) {
                case Appended.Done _ -> {
                    LOG.info("leads lake {} from version {}, epoch {}", name, entry.version(), entry.epoch());
                    return state.apply(entry);
                }
                case Appended.Taken _ -> state = log.catchUp(state);
                case Appended.Failed failed ->
                    throw new IllegalStateException("can not lead lake " + name + " at " + root + ": " + failed.why());
                case Appended.Unsettled unsettled ->
                    throw new IllegalStateException(
                            "can not lead lake " + name + " at " + root + ": " + unsettled.why());
            }
        }
    }

    private void publish(CatalogState state) {
        states.put(state.version().number(), state);
        while (states.size() > STATES_KEPT) {
            states.pollFirstEntry();
        }
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
        Map.Entry<Long, CatalogState> nearest = states.floorEntry(version.number());
        CatalogState reached = nearest == null ? CatalogState.EMPTY : nearest.getValue();
        while (reached.version().compareTo(version) < 0) {
            Optional<LogEntry> next = log.read(reached.version().number() + 1);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            reached = reached.apply(next.get());
        }
        return Optional.of(reached);
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
        PreparedRequest prepared;
        try {
            request.actions().forEach(this::readView);
            prepared = PreparedRequest.read(request, clock.instant(), files, name -> specs(state(), name));
        } catch (RequestRejectedException e) {
            return e.outcome();
        }
        return coordinator.commit(prepared);
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
        files.close();
        store.close();
    }
}
