package io.weir.coordinator;

/**
 * Who asks, as shown in {@code weir.commits}.
 *
 * @param author the principal; {@code anonymous} where nobody is configured
 * @param engine the client program, as it calls itself (User-Agent or the snapshot's {@code engine-name}), or {@code weir}
 */
public record Caller(String author, String engine) {
    public static final Caller WEIR = new Caller("weir", "weir");
}
