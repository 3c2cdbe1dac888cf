package io.weir.coordinator;

import java.time.Instant;
import java.util.List;

/**
 * One commit group, as it stands in the log: the commit is this object's existence under its version's name.
 *
 * @param format of the entry; a reader refuses one it does not know
 * @param epoch the leader's; an entry whose epoch is below the state's is never written
 * @param attempt unique for each try to write an entry: tells whether an entry found in the log is one's own
 */
public record LogEntry(
        int format, long version, long epoch, String attempt, Instant committedAt, List<Change> changes) {
    static final int FORMAT = 1;

    public LogEntry {
        changes = List.copyOf(changes);
    }
}
