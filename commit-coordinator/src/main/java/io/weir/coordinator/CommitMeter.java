package io.weir.coordinator;

import java.time.Duration;

/** Is told how commits go. Called by several threads; must not block or throw. */
public interface CommitMeter {
    /** What a commit goes through, in this order; READ and QUEUE for each request, the others for each group. */
    enum Step {
        /** What the request names is read from the store. */
        READ,
        /** It waits to be taken into a group. */
        QUEUE,
        /** Each request is checked, and rebased where it is stale. */
        CHECK,
        /** The flows follow, and the tables' metadata is made. */
        DERIVE,
        /** What is left of the writing of files once the group is made. */
        WRITE,
        /** The entry is appended to the log. */
        LOG
    }

    CommitMeter NONE = new CommitMeter() {
        @Override
        public void step(Step step, Duration time) {}

        @Override
        public void group(int requests, int rebased) {}

        @Override
        public void ended(CommitOutcome outcome, Duration time) {}

        @Override
        public void waiting(int commits, long bytes) {}
    };

    /** A step ended. */
    void step(Step step, Duration time);

    /**
     * A group was made, to be written.
     *
     * @param requests of it, those that are refused included
     * @param rebased commits that were put on a newer state than their writer's
     */
    void group(int requests, int rebased);

    /**
     * A request is answered.
     *
     * @param time from the request's arrival to its answer
     */
    void ended(CommitOutcome outcome, Duration time);

    /** How many commits are between their arrival and their answer, and how much memory they are taken to need. */
    void waiting(int commits, long bytes);
}
