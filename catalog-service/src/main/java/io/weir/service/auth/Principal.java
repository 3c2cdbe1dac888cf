package io.weir.service.auth;

/** Someone the server knows: the name under which {@code weir.commits} has him, and what he may do. */
public record Principal(String name, Role role) {}
