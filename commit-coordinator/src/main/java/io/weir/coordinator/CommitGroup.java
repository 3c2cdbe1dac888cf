package io.weir.coordinator;

import io.weir.coordinator.CommitMeter.Step;
import io.weir.coordinator.Derivation.Pace;
import io.weir.coordinator.FlowMover.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts one commit group together: applies each request to the state the group has reached, lets the flows follow, and
 * names what must be written (DESIGN 3). Nothing is decided here: the outcome of each request holds only if the state
 * the group was prepared on is the one the log has when its entry is appended.
 */
final class CommitGroup {
    private static final Logger LOG = LoggerFactory.getLogger(CommitGroup.class);

    private final StagedFiles files;
    private final TableMetadataFiles metadataFiles;
    private final ViewMetadataFiles viewFiles;
    private final Derivation derivation;
    private final CommitMeter meter;

    CommitGroup(
            StagedFiles files,
            TableMetadataFiles metadataFiles,
            ViewMetadataFiles viewFiles,
            Derivation derivation,
            CommitMeter meter) {
        this.meter = meter;
        this.viewFiles = viewFiles;
        this.files = files;
        this.metadataFiles = metadataFiles;
        this.derivation = derivation;
    }

    /**
     * A group ready to be written.
     *
     * @param refused the outcome of each request that is not part of it, by its place among the requests
     * @param metadata the tables' new metadata, staged in {@code batch}
     */
    record Prepared(
            Draft draft,
            LogEntry entry,
            StagedFiles.Batch batch,
            Map<Integer, CommitOutcome> refused,
            List<TableMetadata> metadata) {

        boolean isEmpty() {
            return entry.changes().isEmpty();
        }
    }

    Prepared prepare(CatalogState base, long epoch, Instant at, List<PreparedRequest> requests) {
        Map<Integer, CommitOutcome> refused = new HashMap<>();
        while (true) {
            StagedFiles.Batch batch = files.writtenBatch();
            Attempt attempt = attempt(base, epoch, at, requests, refused, batch);
            if (attempt.violation == null) {
                long start = System.nanoTime();
                Prepared prepared = finish(base, attempt.draft, epoch, batch, refused);
                meter.step(Step.DERIVE, attempt.derive.plusNanos(System.nanoTime() - start));
                meter.step(Step.CHECK, attempt.check);
                meter.group(requests.size(), rebased(attempt.draft));
                return prepared;
            }
            batch.discard();
            findOffenders(base, epoch, at, requests, refused, attempt.violation);
        }
    }

    private static int rebased(Draft draft) {
        return (int) draft.records().stream().filter(CommitRecord::rebased).count();
    }

    /**
     * @param violation null where the flows take the group
     * @param check the time it took to apply the requests
     * @param derive the time the flows took
     */
    private record Attempt(Draft draft, CommitOutcome.Rejected violation, Duration check, Duration derive) {}

    /** All requests that are not refused yet, together; those that can not be applied become refused. */
    private Attempt attempt(
            CatalogState base,
            long epoch,
            Instant at,
            List<PreparedRequest> requests,
            Map<Integer, CommitOutcome> refused,
            StagedFiles.Batch batch) {
        return attempt(base, epoch, at, requests, refused, batch, Pace.AHEAD).orElseGet(() -> {
            batch.discard();
            return attempt(base, epoch, at, requests, refused, batch, Pace.STEP_BY_STEP)
                    .orElseThrow();
        });
    }

    /** Empty where the flows' moves did not go through {@linkplain Pace#AHEAD ahead}. */
    private Optional<Attempt> attempt(
            CatalogState base,
            long epoch,
            Instant at,
            List<PreparedRequest> requests,
            Map<Integer, CommitOutcome> refused,
            StagedFiles.Batch batch,
            Pace pace) {
        long start = System.nanoTime();
        Draft draft = Draft.on(base.at(base.version().next(), epoch, at));
        GroupView view = new GroupView(batch, metadataFiles, draft);
        try (LazySession session = new LazySession(derivation, view, pace)) {
            TableCommits tables = new TableCommits(batch, metadataFiles, session::get, at);
            RequestApplier applier = new RequestApplier(batch, metadataFiles, viewFiles, tables);
            for (int i = 0; i < requests.size(); i++) {
                if (refused.containsKey(i)) {
                    continue;
                }
                view.at(draft);
                try {
                    draft = applier.apply(draft, requests.get(i));
                } catch (RequestRejectedException e) {
                    refused.put(i, e.outcome());
                } catch (RuntimeException e) {
                    LOG.error(
                            "a request can not be applied: {}", requests.get(i).request(), e);
                    refused.put(i, CommitOutcome.Rejected.of(ErrorCode.INTERNAL, "the commit failed: " + e, ""));
                }
            }
            long checked = System.nanoTime();
            Duration check = Duration.ofNanos(checked - start);
            Instant startedAt = requests.stream()
                    .map(PreparedRequest::receivedAt)
                    .min(Instant::compareTo)
                    .orElse(at);
            FlowMover mover = new FlowMover(base, tables, batch, session, pace, view, draft, startedAt);
            return switch (mover.move()) {
                case Result.Moved moved -> {
                    session.accept();
                    yield Optional.of(new Attempt(moved.draft(), null, check, since(checked)));
                }
                case Result.Refused why -> Optional.of(new Attempt(draft, why.why(), check, since(checked)));
                case Result.StepByStep _ -> Optional.empty();
            };
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** A flow refuses what the group brings: finds whose it is, by adding one request at a time. */
    private void findOffenders(
            CatalogState base,
            long epoch,
            Instant at,
            List<PreparedRequest> requests,
            Map<Integer, CommitOutcome> refused,
            CommitOutcome.Rejected violation) {
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            if (!refused.containsKey(i)) {
                open.add(i);
            }
        }
        if (open.size() == 1) {
            refused.put(open.get(0), violation);
            return;
        }
        Map<Integer, CommitOutcome> others = new HashMap<>(refused);
        open.forEach(i -> others.put(i, violation));
        for (int candidate : open) {
            others.remove(candidate);
            StagedFiles.Batch batch = files.batch();
            Map<Integer, CommitOutcome> tried = new HashMap<>(others);
            Attempt attempt = attempt(base, epoch, at, requests, tried, batch);
            batch.discard();
            if (attempt.violation != null) {
                others.put(candidate, attempt.violation);
                refused.put(candidate, attempt.violation);
            } else if (tried.containsKey(candidate)) {
                others.put(candidate, tried.get(candidate));
                refused.put(candidate, tried.get(candidate));
            }
        }
    }

    private Prepared finish(
            CatalogState base, Draft draft, long epoch, StagedFiles.Batch batch, Map<Integer, CommitOutcome> refused) {
        List<Change.TableMoved> moves = draft.changes().stream()
                .filter(Change.TableMoved.class::isInstance)
                .map(Change.TableMoved.class::cast)
                .toList();
        Queue<TableMetadata> written = new ConcurrentLinkedQueue<>();
        Parallel.forEach(
                moves,
                moved -> written.add(metadataFiles.write(
                        draft.touched().get(moved.id()),
                        metadataFiles
                                .unknown(fileBefore(base, draft, moved.id()))
                                .plus(draft.besidesOf(moved.id())),
                        moved.metadataLocation(),
                        batch)));
        List<Change> changes = new ArrayList<>(draft.changes());
        if (!draft.records().isEmpty()) {
            changes.add(new Change.Recorded(draft.records()));
        }
        LogEntry entry = new LogEntry(
                LogEntry.FORMAT,
                draft.state().version().number(),
                epoch,
                UUID.randomUUID().toString(),
                draft.state().committedAt(),
                changes);
        return new Prepared(draft, entry, batch, refused, List.copyOf(written));
    }

    /** The metadata file that a table the group moves had before: the lake's, or the one it was made with. */
    private static String fileBefore(CatalogState base, Draft draft, String id) {
        return draft.changes().stream()
                .filter(change -> change instanceof Change.TableCreated created
                        && created.id().equals(id))
                .map(created -> ((Change.TableCreated) created).metadataLocation())
                .findFirst()
                .or(() -> base.tableById(id).map(TableEntry::metadataLocation))
                .or(() -> base.dropped().stream()
                        .map(DroppedTable::table)
                        .filter(table -> table.id().equals(id))
                        .map(TableEntry::metadataLocation)
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException("no file of table " + id));
    }

    /** The derivation's session, begun when first needed: most groups of tables nobody follows need none. */
    private static final class LazySession implements Derivation.Session {
        private final Derivation derivation;
        private final GroupView view;
        private final Pace pace;
        private Derivation.Session session;

        LazySession(Derivation derivation, GroupView view, Pace pace) {
            this.derivation = derivation;
            this.view = view;
            this.pace = pace;
        }

        Derivation.Session get() {
            if (session == null) {
                session = derivation.begin(view, pace);
            }
            return session;
        }

        @Override
        public Derivation.Step advance(TableEntry table) {
            return get().advance(table);
        }

        @Override
        public Derivation.Superseded supersede(TableEntry table, TableMetadata current, List<DataFile> added) {
            return get().supersede(table, current, added);
        }

        @Override
        public void accept() {
            if (session != null) {
                session.accept();
            }
        }

        @Override
        public void close() {
            if (session != null) {
                session.close();
            }
        }
    }
}
