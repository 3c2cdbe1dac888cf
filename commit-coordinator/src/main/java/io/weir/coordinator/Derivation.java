package io.weir.coordinator;

import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/**
 * The port for what else belongs in a commit. The coordinator knows when a view must move and how its snapshot is made;
 * what its rows become is the other side's.
 *
 * <p>For each group of commits the coordinator opens one {@link Session}, asks it to advance each view that is behind
 * its sources, sources first, and {@linkplain Session#accept accepts} when the group is whole. A session that is closed
 * without that has changed nothing. Sessions do not overlap.
 */
public interface Derivation {

    Session begin(Group group, Pace pace);

    /** How far a session goes before it is sure. */
    enum Pace {
        /** Each view's files are there when its step is told. What goes wrong is told exactly. */
        STEP_BY_STEP,

        /**
         * A view may move while the files of those before it are being written. An outcome other than
         * {@link Outcome.Moved} then only says that the group must be derived again, step by step.
         */
        AHEAD
    }

    /** The group so far: what a session reads. */
    interface Group {
        /** The version the group will have. */
        Version version();

        FileIO io();

        /** Work that must be done before the entry is written, beside the writing of the group's own files. */
        void beforeEntry(Runnable write);

        /** A table as the group leaves it, so far. Waits as {@link #metadata} does. */
        TableEntry table(String id);

        /** Its metadata as the group leaves it. Waits for a view's files that are still being written. */
        TableMetadata metadata(String id);
    }

    interface Session extends AutoCloseable {
        /** Brings a view from its frontier to its sources as the group leaves them. */
        Step advance(TableEntry view);

        /**
         * The rows of a keyed table that rows of the same key in {@code added} replace: position deletes or deletion
         * vectors, written, for {@code current} snapshot's files, and among {@code added} themselves (the last wins).
         */
        Superseded supersede(TableEntry table, TableMetadata current, List<DataFile> added);

        /** The group is whole: what was derived is what is committed, unless the log says otherwise. */
        void accept();

        @Override
        void close();
    }

    /** One view's step. */
    interface Step {
        /** Whether the view gets a snapshot, so that those who read it must move too. */
        boolean movesRows();

        /** What it came to; waits for the view's files. Asked once, after the steps of the view's sources. */
        Outcome outcome();

        static Step done(Outcome outcome) {
            return new Step() {
                @Override
                public boolean movesRows() {
                    return outcome instanceof Outcome.Moved moved
                            && moved.move().movesRows();
                }

                @Override
                public Outcome outcome() {
                    return outcome;
                }
            };
        }
    }

    sealed interface Outcome {
        record Moved(ViewMove move) implements Outcome {}

        /** The commit that brought the change can not stand. */
        record Refused(CommitOutcome.Rejected why) implements Outcome {}

        /** The view stays at its last exact version; the commit goes on without it. */
        record SetAside(String error) implements Outcome {}
    }

    /**
     * The older rows that a commit to a keyed table replaces.
     *
     * @param deletes position deletes or deletion vectors to add; those for files of the same snapshot included
     * @param replaced deletion vectors that {@code deletes} replace
     * @param dropped data files of the commit itself none of whose rows stay
     */
    record Superseded(List<DeleteFile> deletes, List<DeleteFile> replaced, Set<String> dropped) {
        public static final Superseded NOTHING = new Superseded(List.of(), List.of(), Set.of());
    }

    /** For a lake whose tables nothing follows. */
    static Derivation none() {
        return (group, pace) -> new Session() {
            @Override
            public Step advance(TableEntry view) {
                throw new IllegalStateException("no engine moves " + view.name());
            }

            @Override
            public Superseded supersede(TableEntry table, TableMetadata current, List<DataFile> added) {
                throw new IllegalStateException("no engine finds the older rows of " + table.name());
            }

            @Override
            public void accept() {}

            @Override
            public void close() {}
        };
    }
}
