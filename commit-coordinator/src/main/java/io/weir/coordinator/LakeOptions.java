package io.weir.coordinator;

import java.time.Clock;

/**
 * How a lake is opened.
 *
 * @param name the warehouse name
 * @param node this server, as the log names its leaders
 * @param clock what commit times are read from; commit times never go back even where it does
 * @param limits how many commits it takes in before it refuses more
 * @param meter is told how commits go
 * @param log how much of its past the lake keeps
 */
public record LakeOptions(
        String name, String node, Clock clock, LogPolicy log, CommitLimits limits, CommitMeter meter) {
    public LakeOptions(String name, String node, Clock clock, LogPolicy log) {
        this(name, node, clock, log, CommitLimits.DEFAULT, CommitMeter.NONE);
    }

    public static LakeOptions named(String name) {
        return new LakeOptions(name, "pid-" + ProcessHandle.current().pid(), Clock.systemUTC(), LogPolicy.DEFAULT);
    }

    public LakeOptions withLog(LogPolicy newLog) {
        return new LakeOptions(name, node, clock, newLog, limits, meter);
    }

    public LakeOptions withLimits(CommitLimits newLimits) {
        return new LakeOptions(name, node, clock, log, newLimits, meter);
    }

    public LakeOptions withMeter(CommitMeter newMeter) {
        return new LakeOptions(name, node, clock, log, limits, newMeter);
    }
}
