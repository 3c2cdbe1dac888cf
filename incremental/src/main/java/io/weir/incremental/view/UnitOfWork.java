package io.weir.incremental.view;

/** The stages of one commit group, moved one after the other in one session of the engine. For one thread. */
public interface UnitOfWork extends AutoCloseable {
    /** Moves one stage. What goes wrong with the view's own rows is an outcome; nothing has been kept of it then. */
    StageOutcome advance(StageRequest request);

    /**
     * Keeps the states this unit made for the next one. It may be called as soon as the stages are through: a state whose
     * token never comes to be is never used. Without it closing the unit forgets them, which costs time only.
     */
    void accept();

    /** Waits until no file of this unit is being written any more: then what no commit names can be deleted. */
    void await();

    @Override
    void close();
}
