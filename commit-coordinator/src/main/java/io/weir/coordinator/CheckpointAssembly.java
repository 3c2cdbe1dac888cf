package io.weir.coordinator;

import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** Puts a state together from the lines of its checkpoint, in their order. Used by one thread. */
final class CheckpointAssembly {
    /** Without the namespace that every lake begins with: a checkpoint names its own. */
    private CatalogState state = CatalogState.EMPTY.withoutNamespace(CatalogState.DEFAULT_NAMESPACE);

    private PVector<CommitRecord> commits = TreePVector.empty();
    private PMap<String, AnsweredRequests.Answered> answeredByKey = HashTreePMap.empty();
    private PVector<String> answeredInOrder = TreePVector.empty();

    void add(CheckpointLine line) {
        switch (line) {
            case CheckpointLine.OfNamespace l -> state = state.withNamespace(l.namespace(), l.properties());
            case CheckpointLine.OfTable l -> state = state.withTable(l.table().with(l.lineage()));
            case CheckpointLine.OfDropped l ->
                state = state.withDropped(l.dropped().with(l.lineage()));
            case CheckpointLine.OfView l -> state = state.withLogicalView(l.view());
            case CheckpointLine.OfCommit l -> commits = commits.plus(l.commit());
            case CheckpointLine.OfAnswer l -> {
                answeredByKey = answeredByKey.plus(l.answered().key().key(), l.answered());
                answeredInOrder = answeredInOrder.plus(l.answered().key().key());
            }
            case CheckpointLine.OfLeader l -> state = state.withLeader(l.leader());
        }
    }

    CatalogState state(CheckpointCodec.Header header) {
        return state.withCommits(commits)
                .withAnswered(new AnsweredRequests(answeredByKey, answeredInOrder))
                .at(new Version(header.version()), header.epoch(), header.committedAt());
    }
}
