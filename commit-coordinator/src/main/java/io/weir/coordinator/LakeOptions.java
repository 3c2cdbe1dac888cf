package io.weir.coordinator;

import java.time.Clock;

/**
 * How a lake is opened.
 *
 * @param name the warehouse name
 * @param node this server, as the log names its leaders
 * @param clock what commit times are read from; commit times never go back even where it does
 */
public record LakeOptions(String name, String node, Clock clock) {
    public static LakeOptions named(String name) {
        return new LakeOptions(name, "pid-" + ProcessHandle.current().pid(), Clock.systemUTC());
    }
}
